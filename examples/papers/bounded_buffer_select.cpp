// A bounded buffer that is a server: with a selective wait it accepts deposits while there is room, and withdrawals
// while there are items. Every producer deposits one item and every consumer withdraws one.
//
// Arguments: producers (3), consumers (3), slots (2). By default it has 144 behaviours. Where there are too many
// producers or too few, some of them are never served: a deadlock.
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
  given.end();

  norn::entry<int> deposit;
  norn::entry<void, int> withdraw;
  std::vector<int> withdrawn(consumers);

  std::vector<std::thread> threads;
  for (int producer = 1; producer <= producers; ++producer)
    threads.emplace_back([&, producer] {
      norn::symmetric("producer");
      deposit.call(producer);
    });
  for (int& item : withdrawn)
    threads.emplace_back([&] {
      norn::symmetric("consumer");
      item = withdraw.call();
    });
  threads.emplace_back([&] {
    std::deque<int> items;
    for (int served = 0; served < producers + consumers; ++served) {
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
