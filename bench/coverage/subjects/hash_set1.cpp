// Twenty-one threads call one method each of two hash sets.
//
// norn: pass
#include "driver.hpp"
#include "synchronized_hash_set.hpp"

int main() {
  SynchronizedHashSet<int> one{1, 2, 3};
  SynchronizedHashSet<int> two{3, 4, 5};
  const int before = static_cast<int>(one.size() + two.size());

  const int change = run_together({
      [&] { return one.add(6); },
      [&] { return two.add(6); },
      [&] {
        return one.add_items({7, 8});
      },
      [&] { return one.add_all(two); },
      [&] { return two.add_all(one); },
      [&] { return one.remove(3); },
      [&] { return two.take_any() ? -1 : 0; },
      [&] { one.replace(2, 9); },
      [&] { return two.toggle(4); },
      [&] { return one.remove_if([](int item) { return item % 4 == 0; }); },
      [&] { return one.remove_all(two); },
      [&] { return two.retain_all(one); },
      [&] { return two.differ_from(one); },
      [&] { return one.clear(); },
      [&] { one.contains_all(two); },
      [&] { two.disjoint_from(one); },
      [&] { require(!one.any([](int item) { return item < 1; }), "no negative items"); },
      [&] { two.reserve(20); },
      [&] { one.equals(two); },
      [&] { two.take(1, one); },
      [&] { one.swap_with(two); },
  });

  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the sets have as many items as the threads left there");
}
