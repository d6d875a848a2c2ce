// Twenty-one threads call one method each of two sorted sets.
//
// norn: pass
#include "driver.hpp"
#include "synchronized_tree_set.hpp"

int main() {
  SynchronizedTreeSet<int> one{1, 2, 3};
  SynchronizedTreeSet<int> two{3, 4, 5};
  const int before = static_cast<int>(one.size() + two.size());

  const int change = run_together({
      [&] { return one.add(6); },
      [&] {
        return two.add_items({7, 8});
      },
      [&] { return one.add_all(two); },
      [&] { return two.remove(4); },
      [&] { return one.poll_first() ? -1 : 0; },
      [&] { return two.poll_last() ? -1 : 0; },
      [&] { return one.remove_below(2); },
      [&] { return two.remove_from(8); },
      [&] { return two.remove_if([](int item) { return item % 3 == 0; }); },
      [&] { return one.remove_all(two); },
      [&] { return two.retain_all(one); },
      [&] { return one.clear(); },
      [&] { one.contains_all(two); },
      [&] { require(one.lower(3).value_or(0) < 3, "lower is below"); },
      [&] { require(two.ceiling(4).value_or(4) >= 4, "ceiling is not below"); },
      [&] { one.between(2, 5); },
      [&] { require(two.rank(1) == 0, "nothing is below the least item"); },
      [&] { one.equals(two); },
      [&] { two.take_all(one); },
      [&] { one.take_first(two); },
      [&] { one.swap_with(two); },
  });

  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the sets have as many items as the threads left there");
}
