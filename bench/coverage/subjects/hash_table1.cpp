// Twenty-four threads call one method each of two hash tables.
//
// norn: pass
#include "driver.hpp"
#include "synchronized_hash_table.hpp"

int main() {
  SynchronizedHashTable<int, int> one{{1, 10}, {2, 20}, {3, 30}};
  SynchronizedHashTable<int, int> two{{3, 33}, {4, 44}};
  const int before = static_cast<int>(one.size() + two.size());

  const int change = run_together({
      [&] { return one.put(5, 50); },
      [&] { return two.put_if_absent(5, 55); },
      [&] {
        return one.put_entries({{6, 60}, {7, 70}});
      },
      [&] { return one.put_all(two); },
      [&] { return two.put_all_absent(one); },
      [&] { one.get_or(2, 0); },
      [&] { two.replace(4, 40); },
      [&] { one.replace_if_equal(1, 10, 11); },
      [&] { return two.compute_if_absent(8, [](int key) { return 11 * key; }); },
      [&] { one.compute_if_present(3, [](int value) { return value + 1; }); },
      [&] { return one.merge(3, 1, [](int value, int more) { return value + more; }); },
      [&] { one.exchange(1, 2); },
      [&] { return two.remove(3); },
      [&] { return one.remove_if_equal(2, 20); },
      [&] { return two.take(4) ? -1 : 0; },
      [&] { return one.remove_value(60); },
      [&] { return two.remove_all(one); },
      [&] { return one.retain_all(two); },
      [&] { return two.clear(); },
      [&] { one.contains_value(30); },
      [&] { require(!two.contains_entry(4, 45), "an entry that nobody put there"); },
      [&] { require(one.equals(one), "a table equals itself"); },
      [&] { one.swap_with(two); },
      [&] { two.move_from(one, 1); },
  });

  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the tables have as many entries as the threads left there");
}
