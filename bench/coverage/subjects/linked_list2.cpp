// Five threads hand items from one linked list to another, with many methods each.
//
// norn: pass
#include "driver.hpp"
#include "synchronized_linked_list.hpp"

using List = SynchronizedLinkedList<int>;

static int produce(List& list) {
  int change = list.add_first(10) + list.add_last(11) + list.insert(1, 12);
  change += list.insert_before(2, 13);
  return change + list.add_items({14, 14});
}

static int consume(List& list) {
  int change = 0;
  if (list.peek_first()) change += list.poll_first() ? -1 : 0;
  if (list.peek_last()) change += list.poll_last() ? -1 : 0;
  change += list.remove_first_of(2) + list.remove_last_of(14);
  change += list.remove_at(0);
  return change + list.remove_if([](int item) { return item == 13; });
}

static int hand_over(List& from, List& to) {
  to.take_first(from);
  const int change = to.add_all(from);
  to.take_all(from);
  from.swap_with(to);
  return change;
}

static void look(const List& one, const List& two) {
  int items = 0;
  one.for_each([&](int item) { items += item > 0 ? 1 : 0; });
  require(items <= 30, "nobody adds so many");
  if (one.contains(3)) two.contains_all(one);
  one.index_of(3);
  require(two.count(-1) == 0, "what was never there does not count");
  require(one.equals(one), "a list equals itself");
  one.get(1);
  if (!one.empty()) two.to_vector();
}

static int tidy_up(List& one, List& two) {
  one.sort();
  one.set(0, 1);
  two.reverse();
  one.rotate();
  int change = one.remove_repeated() + two.remove_all(one);
  change += one.retain_all(two);
  return change + two.clear();
}

int main() {
  List one{1, 2, 3};
  List two{3, 4};
  const int before = static_cast<int>(one.size() + two.size());
  const int change = run_together({
      [&] { return produce(one); },
      [&] { return consume(two); },
      [&] { return hand_over(one, two); },
      [&] { look(one, two); },
      [&] { return tidy_up(one, two); },
  });
  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the lists have as many items as the threads left there");
}
