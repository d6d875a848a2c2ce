// A bounded buffer with semaphores: two count the free and the full slots, two let one producer and one consumer at a
// time in. Every producer deposits an item and every consumer withdraws one, so many times.
//
// Arguments: producers (3), consumers (3), slots (2), times (1). By default it has 324 behaviours. Where there are too
// many producers or too few, some of them wait for ever: a deadlock.
//
// norn: pass
#include <norn/semaphore.hpp>
#include <norn/symmetric.hpp>

#include <cassert>
#include <cstddef>
#include <set>
#include <thread>
#include <vector>

#include "arguments.hpp"

class buffer {
 public:
  explicit buffer(int slots) : slots_(slots), not_full_(slots) {}

  void deposit(int item) {
    mutex_deposit_.P();
    not_full_.P();
    assert(slots_[in_] == nothing);
    slots_[in_] = item;
    in_ = (in_ + 1) % slots_.size();
    not_empty_.V();
    mutex_deposit_.V();
  }

  int withdraw() {
    mutex_withdraw_.P();
    not_empty_.P();
    const int item = slots_[out_];
    assert(item != nothing);
    slots_[out_] = nothing;
    out_ = (out_ + 1) % slots_.size();
    not_full_.V();
    mutex_withdraw_.V();
    return item;
  }

 private:
  static constexpr int nothing = 0;

  std::vector<int> slots_;
  std::size_t in_ = 0;
  std::size_t out_ = 0;
  norn::counting_semaphore not_full_;
  norn::counting_semaphore not_empty_{0};
  norn::counting_semaphore mutex_deposit_{1};
  norn::counting_semaphore mutex_withdraw_{1};
};

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const int producers = given.size("producers", 3);
  const int consumers = given.size("consumers", 3);
  const int slots = given.size("slots", 2);
  const int times = given.size("times", 1);
  given.end();

  buffer items(slots);
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
