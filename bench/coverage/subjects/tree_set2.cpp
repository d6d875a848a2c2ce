// Three threads call many methods each of two sorted sets.
//
// norn: pass
#include <algorithm>
#include <vector>

#include "driver.hpp"
#include "synchronized_tree_set.hpp"

using Set = SynchronizedTreeSet<int>;

static int grow(Set& one, Set& two) {
  int change = one.add(6) + two.add(1) + two.add_items({7, 8});
  change += one.add_all(two);
  two.take_first(one);
  two.take_all(one);
  one.swap_with(two);
  return change + two.add(9);
}

static int shrink(Set& one, Set& two) {
  int change = one.remove(3) + two.remove_below(2) + one.remove_from(8);
  change += one.poll_first() ? -1 : 0;
  change += two.poll_last() ? -1 : 0;
  change += two.remove_if([](int item) { return item == 7; });
  change += one.remove_all(two) + two.retain_all(one);
  return change + one.clear();
}

static void look(const Set& one, const Set& two) {
  const std::vector<int> items = one.to_vector();
  require(std::is_sorted(items.begin(), items.end()), "a sorted set is sorted");
  int last = 0;
  two.for_each([&](int item) {
    require(last < item, "items are visited in order");
    last = item;
  });
  require(one.lower(5).value_or(0) < 5 && one.floor(5).value_or(0) <= 5, "lower and floor are below");
  require(two.higher(5).value_or(6) > 5 && two.ceiling(5).value_or(6) >= 5, "higher and ceiling are above");
  if (one.first() && one.last()) one.between(2, 4);
  require(one.head(4).size() <= 3 && two.tail(8).size() <= 2, "nine numbers are used");
  require(one.descending().size() <= 9 && one.rank(5) <= 4, "nine numbers are used");
  if (one.contains(3) && !two.empty()) one.contains_all(two);
  one.equals(two);
}

int main() {
  Set one{1, 2, 3};
  Set two{3, 4, 5};
  const int before = static_cast<int>(one.size() + two.size());
  const int change = run_together({
      [&] { return grow(one, two); },
      [&] { return shrink(two, one); },
      [&] { look(one, two); },
  });
  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the sets have as many items as the threads left there");
}
