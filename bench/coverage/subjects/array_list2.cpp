// Four threads call many methods each of two lists.
//
// norn: pass
#include <cstddef>

#include "driver.hpp"
#include "synchronized_list.hpp"

using List = SynchronizedList<int>;

// Twelve items are added at most, and two operations double what is there at most.
constexpr std::size_t kMostItems = 48;

static int fill(List& one, List& two) {
  one.reserve(16);
  int change = one.add(10) + one.add_if_absent(11) + two.add_if_absent(11);
  change += one.insert(0, 12);
  change += two.add_items({13, 14, 15});
  two.replace_each([](int item) { return item + 1; });
  return change + one.insert_all(1, two);
}

static void look(const List& one, const List& two) {
  int seen = 0;
  one.for_each([&](int item) { seen += item > 0 ? 1 : 0; });
  require(seen >= 0, "items are visited");
  const bool contained = one.contains_all(two) && !two.contains(99);
  const std::size_t part = one.slice(1, 3).size();
  require(part <= 2, "a slice is no longer than asked for");
  require(one.count(12) + two.count(12) <= kMostItems, "nobody adds so many");
  if (contained && one.first() && two.last()) two.index_of(*one.first());
  two.last_index_of(3);
  require(!one.equals(two) || !one.empty() || two.to_vector().size() <= kMostItems, "nobody adds so many");
}

static int take_out(List& one, List& two) {
  int change = one.remove(10) + two.remove_at(0) + one.remove_last();
  change += two.remove_range(0, 1);
  change += one.remove_if([](int item) { return item == 2; });
  change += one.remove_all(two);
  two.trim();
  return change + two.retain_all(one);
}

static int rearrange(List& one, List& two) {
  one.sort();
  two.reverse();
  one.exchange(0, 1);
  one.set(0, 20);
  one.swap_with(two);
  const int change = two.add_all(one);
  require(one.sum() >= 0, "no negative items");
  return change + one.clear();
}

int main() {
  List one{1, 2, 3};
  List two{3, 4};
  const int before = static_cast<int>(one.size() + two.size());
  const int change = run_together({
      [&] { return fill(one, two); },
      [&] { look(one, two); },
      [&] { return take_out(one, two); },
      [&] { return rearrange(two, one); },
  });
  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the lists have as many items as the threads left there");
}
