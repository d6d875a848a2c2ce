// Three threads call many methods each of two hash sets.
//
// norn: pass
#include "driver.hpp"
#include "synchronized_hash_set.hpp"

using Set = SynchronizedHashSet<int>;

static int grow(Set& one, Set& two) {
  one.reserve(12);
  int change = one.add(10) + two.add(10) + two.add_items({11, 12});
  change += one.toggle(2) + one.add_all(two);
  two.take(1, one);
  two.replace(12, 13);
  return change + two.differ_from(one);
}

static int shrink(Set& one, Set& two) {
  int change = one.remove(10) + two.remove_if([](int item) { return item > 11; });
  change += one.take_any() ? -1 : 0;
  change += one.remove_all(two) + two.retain_all(one);
  one.swap_with(two);
  two.trim();
  return change + one.clear();
}

static void look(const Set& one, const Set& two) {
  std::size_t items = 0;
  one.for_each([&](int item) { items += item > 0 ? 1 : 0; });
  require(items <= 13, "nobody adds so many");
  if (one.contains(1)) one.contains_all(two);
  if (two.empty()) two.disjoint_from(one);
  require(!two.any([](int item) { return item < 0; }), "no negative items");
  one.hash();
  require(one.bucket_count() > 0, "a set has buckets");
  if (one.equals(two)) two.to_vector();
}

int main() {
  Set one{1, 2, 3};
  Set two{3, 4};
  const int before = static_cast<int>(one.size() + two.size());
  const int change = run_together({
      [&] { return grow(one, two); },
      [&] { return shrink(two, one); },
      [&] { look(one, two); },
  });
  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the sets have as many items as the threads left there");
}
