// std::counting_semaphore, std::binary_semaphore, std::latch, std::barrier.

#include <barrier>
#include <chrono>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

#include "cases.h"

using namespace std::chrono_literals;

void release_and_acquire(int n) {
  std::counting_semaphore<> semaphore(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) {
    threads.emplace_back([&] { semaphore.release(); });
    threads.emplace_back([&] { semaphore.acquire(); });
  }
  for (auto& thread : threads) thread.join();
  printf("%d\n", semaphore.try_acquire());
}

void pairs_1() { release_and_acquire(1); }
void pairs_2() { release_and_acquire(2); }
void pairs_3() { release_and_acquire(3); }

void ping_pong() {
  std::binary_semaphore ping(1);
  std::binary_semaphore pong(0);
  std::thread other([&] {
    for (int i = 0; i < 2; ++i) {
      pong.acquire();
      printf("pong ");
      ping.release();
    }
  });
  for (int i = 0; i < 2; ++i) {
    ping.acquire();
    printf("ping ");
    pong.release();
  }
  other.join();
  printf("\n");
}

void as_mutex() {
  std::binary_semaphore semaphore(1);
  int count = 0;
  const auto work = [&] {
    semaphore.acquire();
    ++count;
    semaphore.release();
  };
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
  printf("%d\n", count);
}

void release_two() {
  std::counting_semaphore<4> semaphore(0);
  char names[3] = "";
  int entered = 0;
  const auto enter = [&](char name) {
    semaphore.acquire();
    names[entered++] = name;
  };
  std::thread a(enter, 'a');
  std::thread b(enter, 'b');
  semaphore.release(2);
  a.join();
  b.join();
  printf("%s\n", names);
}

template <typename Try>
void attempt(Try function) {
  std::counting_semaphore<1> semaphore(0);
  bool got = false;
  std::thread thread([&] { got = function(semaphore); });
  semaphore.release();
  thread.join();
  printf("%s\n", got ? "got" : "empty");
}

void try_acquire() {
  attempt([](auto& semaphore) { return semaphore.try_acquire(); });
}
void try_acquire_for() {
  attempt([](auto& semaphore) { return semaphore.try_acquire_for(1s); });
}
void try_acquire_until() {
  attempt([](auto& semaphore) { return semaphore.try_acquire_until(std::chrono::system_clock::now() + 1s); });
}

void too_few() {
  std::counting_semaphore<> semaphore(1);
  std::thread thread([&] { semaphore.acquire(); });
  semaphore.acquire();
  thread.join();
}

void latch_wait() {
  std::latch latch(1);
  int value = 0;
  std::thread thread([&] {
    value = 1;
    latch.count_down();
  });
  latch.wait();
  printf("%d\n", value);
  thread.join();
}

void latch_count_down() {
  std::latch latch(2);
  const auto arrive = [&] { latch.count_down(); };
  std::thread a(arrive);
  std::thread b(arrive);
  a.join();
  b.join();
  printf("%d\n", latch.try_wait());
}

void latch_together() {
  std::latch latch(2);
  int values[2] = {};
  int sums[2] = {};
  const auto meet = [&](int self) {
    values[self] = self + 1;
    latch.arrive_and_wait();
    sums[self] = values[0] + values[1];
  };
  std::thread a(meet, 0);
  std::thread b(meet, 1);
  a.join();
  b.join();
  printf("%d %d\n", sums[0], sums[1]);
}

void barrier_once() {
  std::barrier barrier(2, [&]() noexcept { printf("complete "); });
  const auto meet = [&] { barrier.arrive_and_wait(); };
  std::thread a(meet);
  std::thread b(meet);
  a.join();
  b.join();
  printf("done\n");
}

/// Nobody is ahead by more than one phase, and the completion runs between the phases.
void barrier_phases() {
  int phase = 0;
  int wrong = 0;
  std::barrier barrier(2, [&]() noexcept { ++phase; });
  const auto meet = [&] {
    for (int i = 0; i < 2; ++i) {
      wrong += phase != i;
      barrier.arrive_and_wait();
    }
  };
  std::thread a(meet);
  std::thread b(meet);
  a.join();
  b.join();
  printf("%d phases, %d wrong\n", phase, wrong);
}

void barrier_drop() {
  int completions = 0;
  std::barrier barrier(2, [&]() noexcept { ++completions; });
  std::thread a([&] { barrier.arrive_and_drop(); });
  std::thread b([&] {
    barrier.arrive_and_wait();
    barrier.wait(barrier.arrive());
  });
  a.join();
  b.join();
  printf("%d\n", completions);
}

CASES_MAIN({"pairs_1", pairs_1}, {"pairs_2", pairs_2}, {"pairs_3", pairs_3}, {"ping_pong", ping_pong},
           {"as_mutex", as_mutex}, {"release_two", release_two}, {"try_acquire", try_acquire},
           {"try_acquire_for", try_acquire_for}, {"try_acquire_until", try_acquire_until}, {"too_few", too_few},
           {"latch_wait", latch_wait}, {"latch_count_down", latch_count_down}, {"latch_together", latch_together},
           {"barrier_once", barrier_once}, {"barrier_phases", barrier_phases}, {"barrier_drop", barrier_drop})
