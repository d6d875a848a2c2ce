// A bounded buffer that is a server: with a selective wait it accepts deposits while there is room, and withdrawals
// while there are items. Every producer deposits an item and every consumer withdraws one, so many times.
//
// Arguments: producers (3), consumers (3), slots (2), times (1). By default it has 144 behaviours. Where there are too
// many producers or too few, some of them are never served: a deadlock.
//
// norn: pass
#include <norn/entry.hpp>
#include <norn/select.hpp>
#include <norn/symmetric.hpp>

#include <cassert>
#include <cstddef>
#include <deque>
#include <set>
#include <thread>
#include <vector>

#include "arguments.hpp"

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const int producers = given.size("producers", 3);
  const int consumers = given.size("consumers", 3);
  const auto slots = static_cast<std::size_t>(given.size("slots", 2));
  const int times = given.size("times", 1);
  given.end();

  norn::entry<int> deposit;
  norn::entry<void, int> withdraw;
  std::vector<int> withdrawn(static_cast<std::size_t>(consumers * times));

  std::vector<std::thread> threads;
  for (int producer = 1; producer <= producers; ++producer)
    threads.emplace_back([&, producer] {
      norn::symmetric("producer");
      for (int i = 0; i < times; ++i) deposit.call(producer * times + i);
    });
  for (int consumer = 0; consumer < consumers; ++consumer)
    threads.emplace_back([&, consumer] {
      norn::symmetric("consumer");
      for (int i = 0; i < times; ++i) withdrawn[consumer * times + i] = withdraw.call();
    });
  threads.emplace_back([&] {
    std::deque<int> items;
    for (int served = 0; served < (producers + consumers) * times; ++served) {
      norn::select(norn::when(items.size() < slots, deposit, [&](int item) { items.push_back(item); }),
                   norn::when(!items.empty(), withdraw, [&] {
                     const int item = items.front();
                     items.pop_front();
                     return item;
                   }));
      assert(items.size() <= slots);
    }
  });
  for (std::thread& thread : threads) thread.join();

  assert(std::set<int>(withdrawn.begin(), withdrawn.end()).size() == withdrawn.size());
}
