// Twenty-six threads call one method each of two lists.
//
// norn: pass
#include "driver.hpp"
#include "synchronized_list.hpp"

int main() {
  SynchronizedList<int> one{1, 2, 3, 4};
  SynchronizedList<int> two{3, 4, 5};
  const int before = static_cast<int>(one.size() + two.size());

  const int change = run_together({
      [&] { return one.add(6); },
      [&] { return two.add(7); },
      [&] { return one.insert(1, 8); },
      [&] { return two.add_if_absent(5); },
      [&] {
        return one.add_items({9, 10});
      },
      [&] { return one.add_all(two); },
      [&] { return two.insert_all(0, one); },
      [&] { return one.remove(3); },
      [&] { return two.remove_at(0); },
      [&] { return two.remove_last(); },
      [&] { return one.remove_range(1, 3); },
      [&] { return one.remove_if([](int item) { return item % 5 == 0; }); },
      [&] { return two.remove_all(one); },
      [&] { return one.retain_all(two); },
      [&] { return two.clear(); },
      [&] { one.get(2); },
      [&] { two.set(1, 11); },
      [&] { one.contains(4); },
      [&] { one.contains_all(two); },
      [&] { require(!two.index_of(-1), "what was never there has no index"); },
      [&] { one.last_index_of(4); },
      [&] { require(one.equals(one), "a list equals itself"); },
      [&] { one.swap_with(two); },
      [&] { two.sort(); },
      [&] { one.reverse(); },
      [&] { require(two.sum() >= 0, "no negative items"); },
  });

  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the lists have as many items as the threads left there");
}
