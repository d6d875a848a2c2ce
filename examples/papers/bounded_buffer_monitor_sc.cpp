// A bounded buffer that is a monitor, signal-and-continue: who is signalled enters anew, and others may enter before
// it, so it has to look again. Every producer deposits one item and every consumer withdraws one.
//
// Arguments: producers (3), consumers (3), slots (2). By default it has 12,096 behaviours. Where there are too many
// producers or too few, some of them wait for ever: a deadlock.
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

class buffer : norn::sc_monitor {
 public:
  explicit buffer(std::size_t slots) : slots_(slots) {}

  void deposit(int item) {
    const auto inside = enter();
    while (items_.size() == slots_) not_full_.wait();
    assert(items_.size() < slots_);
    items_.push_back(item);
    not_empty_.signal_all();
  }

  int withdraw() {
    const auto inside = enter();
    while (items_.empty()) not_empty_.wait();
    assert(!items_.empty());
    const int item = items_.front();
    items_.pop_front();
    not_full_.signal_all();
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
  given.end();

  buffer items(static_cast<std::size_t>(slots));
  std::vector<int> withdrawn(consumers);

  std::vector<std::thread> threads;
  for (int producer = 1; producer <= producers; ++producer)
    threads.emplace_back([&, producer] {
      norn::symmetric("producer");
      items.deposit(producer);
    });
  for (int& item : withdrawn)
    threads.emplace_back([&] {
      norn::symmetric("consumer");
      item = items.withdraw();
    });
  for (std::thread& thread : threads) thread.join();

  assert(std::set<int>(withdrawn.begin(), withdrawn.end()).size() == withdrawn.size());
}
