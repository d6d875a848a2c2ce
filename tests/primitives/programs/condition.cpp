// std::condition_variable and std::condition_variable_any.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "cases.h"

using namespace std::chrono_literals;

std::mutex mutex;
std::shared_mutex shared;
std::condition_variable condition;
std::condition_variable_any any;
bool ready;

void set_ready() {
  std::lock_guard guard(mutex);
  ready = true;
}

void flag() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    while (!ready) condition.wait(lock);
  });
  set_ready();
  condition.notify_one();
  waiter.join();
  printf("ready\n");
}

void everybody() {
  const auto wait = [] {
    std::unique_lock lock(mutex);
    condition.wait(lock, [] { return ready; });
  };
  std::thread a(wait);
  std::thread b(wait);
  set_ready();
  condition.notify_all();
  a.join();
  b.join();
  printf("ready\n");
}

/// Small letter: the thread waits. Capital: it goes on, and tells the next.
void one_by_one() {
  char log[8] = "";
  const auto wait = [&](char name) {
    {
      std::unique_lock lock(mutex);
      if (!ready) strncat(log, &name, 1);
      condition.wait(lock, [] { return ready; });
      const auto capital = static_cast<char>(name - 'a' + 'A');
      strncat(log, &capital, 1);
    }
    condition.notify_one();
  };
  std::thread a(wait, 'a');
  std::thread b(wait, 'b');
  set_ready();
  condition.notify_one();
  a.join();
  b.join();
  printf("%s\n", log);
}

void lost_wakeup() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    condition.wait(lock);
  });
  condition.notify_one();
  waiter.join();
  printf("woken\n");
}

void wait_for() {
  bool in_time = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    in_time = condition.wait_for(lock, 1s, [] { return ready; });
  });
  set_ready();
  condition.notify_one();
  waiter.join();
  printf("%s\n", in_time ? "ready" : "timeout");
}

/// A wait that times out takes as long as it was told to.
void timeout_takes_time() {
  std::unique_lock lock(mutex);
  const auto start = std::chrono::steady_clock::now();
  const auto status = condition.wait_until(lock, std::chrono::system_clock::now() + 3s);
  const auto passed = std::chrono::steady_clock::now() - start;
  printf("%d %d\n", status == std::cv_status::timeout, passed >= 3s && passed < 4s);
}

void at_thread_exit() {
  std::thread thread([] {
    std::unique_lock lock(mutex);
    ready = true;
    std::notify_all_at_thread_exit(condition, std::move(lock));
  });
  {
    std::unique_lock lock(mutex);
    condition.wait(lock, [] { return ready; });
  }
  thread.join();
  printf("ready\n");
}

void any_flag() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    any.wait(lock, [] { return ready; });
  });
  set_ready();
  any.notify_one();
  waiter.join();
  printf("ready\n");
}

void any_shared() {
  std::thread waiter([] {
    std::shared_lock lock(shared);
    any.wait(lock, [] { return ready; });
  });
  {
    std::unique_lock lock(shared);
    ready = true;
  }
  any.notify_all();
  waiter.join();
  printf("ready\n");
}

void any_wait_for() {
  bool in_time = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    in_time = any.wait_for(lock, 1s, [] { return ready; });
  });
  set_ready();
  any.notify_one();
  waiter.join();
  printf("%s\n", in_time ? "ready" : "timeout");
}

/// Asking it to stop ends the wait, though the condition never holds.
void any_stopped() {
  bool held = true;
  {
    std::jthread waiter([&](std::stop_token token) {
      std::unique_lock lock(mutex);
      held = any.wait(lock, token, [] { return ready; });
    });
    waiter.request_stop();
  }
  printf("%s\n", held ? "ready" : "stopped");
}

/// Without a predicate a wake-up says nothing.
void trusting() {
  bool seen = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    if (!ready) condition.wait(lock);
    seen = ready;
  });
  set_ready();
  condition.notify_one();
  waiter.join();
  printf("%s\n", seen ? "ready" : "spurious");
}

CASES_MAIN({"flag", flag}, {"everybody", everybody}, {"one_by_one", one_by_one}, {"lost_wakeup", lost_wakeup},
           {"wait_for", wait_for}, {"timeout_takes_time", timeout_takes_time}, {"at_thread_exit", at_thread_exit},
           {"any_flag", any_flag}, {"any_shared", any_shared}, {"any_wait_for", any_wait_for},
           {"any_stopped", any_stopped}, {"trusting", trusting})
