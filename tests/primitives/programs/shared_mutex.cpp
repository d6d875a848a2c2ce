// std::shared_mutex and std::shared_timed_mutex.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "cases.h"

using namespace std::chrono_literals;

std::shared_mutex mutex;
std::shared_timed_mutex timed;

void readers_and_writer() {
  int value = 0;
  int seen[2] = {};
  const auto read = [&](int& result) {
    std::shared_lock lock(mutex);
    result = value;
  };
  std::thread a(read, std::ref(seen[0]));
  std::thread b(read, std::ref(seen[1]));
  std::thread writer([&] {
    std::unique_lock lock(mutex);
    value = 1;
  });
  a.join();
  b.join();
  writer.join();
  printf("%d %d\n", seen[0], seen[1]);
}

/// How many of two threads can be inside at the same time.
template <typename Lock>
void most_inside() {
  std::atomic<int> inside{0};
  int seen[2] = {};
  const auto enter = [&](int& result) {
    Lock lock(mutex);
    result = ++inside;
    --inside;
  };
  std::thread a(enter, std::ref(seen[0]));
  std::thread b(enter, std::ref(seen[1]));
  a.join();
  b.join();
  printf("%d\n", std::max(seen[0], seen[1]));
}

void readers_inside() { most_inside<std::shared_lock<std::shared_mutex>>(); }
void writers_inside() { most_inside<std::unique_lock<std::shared_mutex>>(); }

template <typename Hold, typename Try>
void contend(Hold hold, Try attempt) {
  bool got = false;
  std::thread holder([&] { hold(); });
  std::thread contender([&] { got = attempt(); });
  holder.join();
  contender.join();
  printf("%s\n", got ? "got" : "busy");
}

void hold_writing() { std::unique_lock lock(mutex); }
void hold_reading() { std::shared_lock lock(mutex); }
void hold_timed_writing() { std::unique_lock lock(timed); }
void hold_timed_reading() { std::shared_lock lock(timed); }

void try_read_while_written() {
  contend(hold_writing, [] { return std::shared_lock(mutex, std::try_to_lock).owns_lock(); });
}
void try_write_while_read() {
  contend(hold_reading, [] { return std::unique_lock(mutex, std::try_to_lock).owns_lock(); });
}
void try_read_while_read() {
  contend(hold_reading, [] { return std::shared_lock(mutex, std::try_to_lock).owns_lock(); });
}
void timed_read_while_written() {
  contend(hold_timed_writing, [] { return std::shared_lock(timed, 1s).owns_lock(); });
}
void timed_write_while_read() {
  contend(hold_timed_reading,
          [] { return std::unique_lock(timed, std::chrono::steady_clock::now() + 1s).owns_lock(); });
}

void upgrade() {
  std::shared_lock reading(mutex);
  std::unique_lock writing(mutex);
}

CASES_MAIN({"readers_and_writer", readers_and_writer}, {"readers_inside", readers_inside},
           {"writers_inside", writers_inside}, {"try_read_while_written", try_read_while_written},
           {"try_write_while_read", try_write_while_read}, {"try_read_while_read", try_read_while_read},
           {"timed_read_while_written", timed_read_while_written}, {"timed_write_while_read", timed_write_while_read},
           {"upgrade", upgrade})
