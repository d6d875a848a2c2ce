// Twenty-six threads call one method each of two linked lists.
//
// norn: pass
#include "driver.hpp"
#include "synchronized_linked_list.hpp"

int main() {
  SynchronizedLinkedList<int> one{1, 2, 3};
  SynchronizedLinkedList<int> two{3, 4, 4};
  const int before = static_cast<int>(one.size() + two.size());

  const int change = run_together({
      [&] { return one.add_first(5); },
      [&] { return two.add_last(6); },
      [&] { return one.insert(1, 7); },
      [&] { return two.insert_before(4, 8); },
      [&] {
        return one.add_items({9, 10});
      },
      [&] { return one.add_all(two); },
      [&] { return two.add_all(two); },
      [&] { one.peek_first(); },
      [&] { two.peek_last(); },
      [&] { return one.poll_first() ? -1 : 0; },
      [&] { return two.poll_last() ? -1 : 0; },
      [&] { one.set(0, 11); },
      [&] { return one.remove_first_of(3); },
      [&] { return two.remove_last_of(4); },
      [&] { return two.remove_at(1); },
      [&] { return one.remove_all(two); },
      [&] { return two.retain_all(one); },
      [&] { return two.remove_repeated(); },
      [&] { return one.clear(); },
      [&] { one.contains_all(two); },
      [&] { require(!two.index_of(-1), "what was never there has no index"); },
      [&] { two.sort(); },
      [&] { one.rotate(); },
      [&] { one.equals(two); },
      [&] { one.take_all(two); },
      [&] { two.swap_with(one); },
  });

  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the lists have as many items as the threads left there");
}
