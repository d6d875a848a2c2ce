// failures KIND: a program that fails in the way that is asked for, in some interleavings only. Every way prints a line
// first, so that a replay has something to show.

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

std::atomic<int> value{0};
std::atomic<int*> pointer{nullptr};
std::mutex mutex;
std::mutex other_mutex;
std::condition_variable condition;
bool ready = false;
int storage = 1;

/// Runs a function beside one that sets `value` and `pointer`.
void beside_a_writer(const std::function<void()>& function) {
  std::thread writer([] {
    value = 1;
    pointer = &storage;
  });
  function();
  writer.join();
}

void check_value() {
  const int seen = value;
  assert(seen == 0);  // the line that the debugger has to find
}

void assertion() {
  std::thread checker(check_value);
  value = 1;
  checker.join();
}

void deadlock() {
  std::thread thread([] {
    const std::lock_guard first(mutex);
    const std::lock_guard second(other_mutex);
  });
  {
    const std::lock_guard first(other_mutex);
    const std::lock_guard second(mutex);
  }
  thread.join();
}

void exception() {
  beside_a_writer([] {
    if (value == 1) throw std::runtime_error("too late");
  });
}

void crash() {
  beside_a_writer([] {
    int* const seen = pointer;
    *seen = 2;
  });
}

void exit_code() {
  beside_a_writer([] {
    if (value == 1) std::exit(3);
  });
}

void abort() {
  beside_a_writer([] {
    if (value == 1) std::abort();
  });
}

/// With --wakeup fifo the first to wait is the first to wake up.
void wakeup() {
  static int waiting = 0;
  static int first_woken = -1;
  static bool closed = false;
  static sem_t woken;
  sem_init(&woken, 0, 0);
  const auto wait = [] {
    std::unique_lock lock(mutex);
    if (closed) return;
    const int mine = waiting++;
    condition.wait(lock);
    if (first_woken < 0) first_woken = mine;
    sem_post(&woken);
  };
  std::thread one(wait);
  std::thread two(wait);
  bool signalled = false;
  {
    const std::lock_guard lock(mutex);
    if (waiting == 2) {
      condition.notify_one();
      signalled = true;
    }
    closed = true;
  }
  if (signalled) sem_wait(&woken);
  {
    const std::lock_guard lock(mutex);
    condition.notify_all();
  }
  one.join();
  two.join();
  if (signalled) assert(first_woken == 0);
}

void timeout() {
  std::thread thread([] {
    const std::lock_guard lock(mutex);
    ready = true;
    condition.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    if (!ready) condition.wait_for(lock, std::chrono::seconds(1));
    assert(ready);
  }
  thread.join();
}

/// Correct but for spurious wake-ups.
void spurious() {
  std::thread thread([] {
    const std::lock_guard lock(mutex);
    ready = true;
    condition.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    if (!ready) condition.wait(lock);
    assert(ready);
  }
  thread.join();
}

void nested() {
  std::thread thread([] {
    std::thread inner(check_value);
    value = 1;
    inner.join();
  });
  thread.join();
}

/// That a lock is held can be observed here, so that releases are scheduling points.
void try_lock() {
  static bool taken = false;
  std::thread thread([] {
    const std::unique_lock lock(mutex, std::try_to_lock);
    taken = lock.owns_lock();
  });
  mutex.lock();
  mutex.unlock();
  thread.join();
  assert(taken);
}

void unflushed_deadlock() {
  std::printf("not flushed");
  deadlock();
}

const std::map<std::string, void (*)()> ways = {
    {"assertion", assertion}, {"deadlock", deadlock}, {"exception", exception}, {"crash", crash},
    {"exit", exit_code},      {"abort", abort},       {"wakeup", wakeup},       {"timeout", timeout},
    {"spurious", spurious},   {"nested", nested},     {"try-lock", try_lock},   {"unflushed", unflushed_deadlock},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "assertion";
  std::printf("this is %s\n", way.c_str());
  std::fflush(stdout);
  ways.at(way)();
}
