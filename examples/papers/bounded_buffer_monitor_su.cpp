// A bounded buffer that is a monitor, signal-and-urgent-wait: who is signalled goes on at once and finds what it waited
// for, so an if is enough. Every producer deposits an item and every consumer withdraws one, so many times.
//
// Arguments: producers (3), consumers (3), slots (2), times (1). By default it has 720 behaviours. Where there are too
// many producers or too few, some of them wait for ever: a deadlock.
//
// norn: pass
#include <norn/monitor.hpp>
#include <norn/symmetric.hpp>

#include <cassert>
#include <cstddef>
#include <deque>
#include <set>
#include <thread>
#include <vector>

#include "arguments.hpp"

class buffer : norn::su_monitor {
 public:
  explicit buffer(std::size_t slots) : slots_(slots) {}

  void deposit(int item) {
    const auto inside = enter();
    if (items_.size() == slots_) not_full_.wait();
    assert(items_.size() < slots_);
    items_.push_back(item);
    not_empty_.signal();
  }

  int withdraw() {
    const auto inside = enter();
    if (items_.empty()) not_empty_.wait();
    assert(!items_.empty());
    const int item = items_.front();
    items_.pop_front();
    not_full_.signal();
    return item;
  }

 private:
  const std::size_t slots_;
  std::deque<int> items_;
  condition not_full_{*this};
  condition not_empty_{*this};
};

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const int producers = given.size("producers", 3);
  const int consumers = given.size("consumers", 3);
  const int slots = given.size("slots", 2);
  const int times = given.size("times", 1);
  given.end();

  buffer items(static_cast<std::size_t>(slots));
  std::vector<int> withdrawn(static_cast<std::size_t>(consumers * times));

  std::vector<std::thread> threads;
  for (int producer = 1; producer <= producers; ++producer)
    threads.emplace_back([&, producer] {
      norn::symmetric("producer");
      for (int i = 0; i < times; ++i) items.deposit(producer * times + i);
    });
  for (int consumer = 0; consumer < consumers; ++consumer)
    threads.emplace_back([&, consumer] {
      norn::symmetric("consumer");
      for (int i = 0; i < times; ++i) withdrawn[consumer * times + i] = items.withdraw();
    });
  for (std::thread& thread : threads) thread.join();

  assert(std::set<int>(withdrawn.begin(), withdrawn.end()).size() == withdrawn.size());
}
