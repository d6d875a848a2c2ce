// Five threads call many methods each of two hash tables.
//
// norn: pass
#include "driver.hpp"
#include "synchronized_hash_table.hpp"

using Table = SynchronizedHashTable<int, int>;

static int fill(Table& one, Table& two) {
  one.reserve(10);
  int change = one.put(5, 50) + one.put_if_absent(1, 11) + two.put_entries({{6, 66}, {7, 77}});
  change += two.compute_if_absent(5, [](int key) { return 11 * key; });
  return change + one.put_all(two) + two.put_all_absent(one);
}

static int update(Table& one, Table& two) {
  one.replace(1, 12);
  two.replace_if_equal(3, 33, 34);
  one.replace_each([](int, int value) { return value + 1; });
  two.compute_if_present(4, [](int value) { return value + 1; });
  one.exchange(2, 3);
  two.rehash(30);
  return one.merge(8, 80, [](int value, int more) { return value + more; });
}

static int take_out(Table& one, Table& two) {
  int change = one.remove(5) + two.remove_if_equal(3, 33);
  change += one.take(2) ? -1 : 0;
  change += two.remove_value(66) + one.remove_if([](int key, int) { return key == 7; });
  return change + one.remove_all(two) + two.retain_all(one);
}

static int move(Table& one, Table& two) {
  one.swap_with(two);
  one.move_from(two, 1);
  two.move_from(one, 4);
  return one.empty() ? 0 : one.clear();
}

static void look(const Table& one, const Table& two) {
  int entries = 0;
  one.for_each([&](int key, int value) { entries += key < value ? 1 : 0; });
  require(entries <= 8, "there are eight keys");
  one.get_or(1, 0);
  if (one.contains_key(2)) two.contains_value(20);
  two.contains_entry(4, 44);
  one.contains_all(two);
  require(two.longest_bucket() <= 8 && two.bucket_count() > 0, "entries are in buckets");
  require(one.keys().size() <= 8 && two.values().size() <= 8, "there are eight keys");
  one.hash();
  if (!one.equals(two)) two.key_of(10);
}

int main() {
  Table one{{1, 10}, {2, 20}, {3, 30}};
  Table two{{3, 33}, {4, 44}};
  const int before = static_cast<int>(one.size() + two.size());
  const int change = run_together({
      [&] { return fill(one, two); },
      [&] { return update(one, two); },
      [&] { return take_out(two, one); },
      [&] { return move(one, two); },
      [&] { look(one, two); },
  });
  const int after = static_cast<int>(one.size() + two.size());
  require(after == before + change, "the tables have as many entries as the threads left there");
}
