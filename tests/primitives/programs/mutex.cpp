// std::mutex, std::timed_mutex, std::recursive_mutex and the ways to hold them.

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "cases.h"

using namespace std::chrono_literals;

std::mutex mutex;
std::mutex other;
std::timed_mutex timed;
std::recursive_mutex recursive;
std::recursive_timed_mutex recursive_timed;

void acquire(int threads, int times) {
  int count = 0;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back([&, times] {
      for (int j = 0; j < times; ++j) {
        std::lock_guard guard(mutex);
        ++count;
      }
    });
  for (auto& thread : all) thread.join();
  printf("%d\n", count);
}

void acquire_1_1() { acquire(1, 1); }
void acquire_3_1() { acquire(3, 1); }
void acquire_2_2() { acquire(2, 2); }
void acquire_2_3() { acquire(2, 3); }
void acquire_3_2() { acquire(3, 2); }
void acquire_4_2() { acquire(4, 2); }

void order() {
  char names[3] = "";
  int entered = 0;
  const auto enter = [&](char name) {
    std::unique_lock lock(mutex);
    names[entered++] = name;
  };
  std::thread a(enter, 'a');
  std::thread b(enter, 'b');
  a.join();
  b.join();
  printf("%s\n", names);
}

/// One thread holds the lock for a while; another tries to get it.
template <typename Mutex, typename Try>
void contend(Mutex& lock, Try attempt) {
  bool got = false;
  std::thread holder([&] { std::lock_guard guard(lock); });
  std::thread contender([&] {
    got = attempt();
    if (got) lock.unlock();
  });
  holder.join();
  contender.join();
  printf("%s\n", got ? "got" : "busy");
}

void try_lock() {
  contend(mutex, [] { return mutex.try_lock(); });
}

/// Whoever gives up has waited for as long as it said.
template <typename Mutex>
bool patient(Mutex& lock) {
  const auto start = std::chrono::steady_clock::now();
  if (lock.try_lock_for(2s)) return true;
  if (std::chrono::steady_clock::now() - start < 2s) printf("too early\n");
  return false;
}

void try_lock_for() {
  contend(timed, [] { return patient(timed); });
}

void try_lock_until() {
  contend(recursive_timed, [] { return recursive_timed.try_lock_until(std::chrono::system_clock::now() + 1h); });
}

void nested_twice() {
  int depth = 0;
  const auto nest = [&] {
    std::lock_guard outer(recursive);
    std::lock_guard inner(recursive);
    ++depth;
  };
  std::thread a(nest);
  std::thread b(nest);
  a.join();
  b.join();
  printf("%d\n", depth);
}

void recursive_try() {
  std::lock_guard outer(recursive);
  std::lock_guard timed_outer(recursive_timed);
  const bool again = recursive.try_lock();
  const bool timed_again = recursive_timed.try_lock_for(1s);
  printf("%d %d\n", again, timed_again);
  recursive.unlock();
  recursive_timed.unlock();
}

void both() {
  int count = 0;
  const auto work = [&] {
    std::scoped_lock locks(mutex, other);
    ++count;
  };
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
  printf("%d\n", count);
}

void both_crossed() {
  int count = 0;
  const auto work = [&](std::mutex& first, std::mutex& second) {
    std::scoped_lock locks(first, second);
    ++count;
  };
  std::thread a(work, std::ref(mutex), std::ref(other));
  std::thread b(work, std::ref(other), std::ref(mutex));
  a.join();
  b.join();
  printf("%d\n", count);
}

void deadlock() {
  const auto take = [](std::mutex& first, std::mutex& second) {
    std::lock_guard outer(first);
    std::lock_guard inner(second);
  };
  std::thread a(take, std::ref(mutex), std::ref(other));
  std::thread b(take, std::ref(other), std::ref(mutex));
  a.join();
  b.join();
}

void self_deadlock() {
  mutex.lock();
  mutex.lock();
}

void not_owner() {
  std::thread holder([] {
    mutex.lock();
    mutex.unlock();
  });
  holder.join();
  mutex.unlock();
}

CASES_MAIN({"acquire_1_1", acquire_1_1}, {"acquire_3_1", acquire_3_1}, {"acquire_2_2", acquire_2_2},
           {"acquire_2_3", acquire_2_3}, {"acquire_3_2", acquire_3_2}, {"acquire_4_2", acquire_4_2}, {"order", order},
           {"try_lock", try_lock}, {"try_lock_for", try_lock_for}, {"try_lock_until", try_lock_until},
           {"nested_twice", nested_twice}, {"recursive_try", recursive_try}, {"both", both},
           {"both_crossed", both_crossed}, {"deadlock", deadlock}, {"self_deadlock", self_deadlock},
           {"not_owner", not_owner})
