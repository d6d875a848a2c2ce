// std::thread and std::jthread.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "cases.h"

std::atomic<int> counter;

void three() {
  std::thread threads[3];
  for (auto& thread : threads) thread = std::thread([] { ++counter; });
  for (auto& thread : threads) thread.join();
  printf("%d\n", counter.load());
}

void arguments() {
  std::string target;
  const auto append = [](std::string& to, std::unique_ptr<int> number, std::string text) {
    to = text + std::to_string(*number);
  };
  std::thread thread(append, std::ref(target), std::make_unique<int>(7), "seven ");
  const bool joinable = thread.joinable();
  thread.join();
  printf("%s %d %d\n", target.c_str(), joinable, thread.joinable());
}

void nested() {
  int order[2] = {};
  std::thread outer([&] {
    ++counter;
    std::thread inner([&] { order[0] = ++counter; });
    order[1] = ++counter;
    inner.join();
  });
  outer.join();
  printf("inner %d outer %d\n", order[0], order[1]);
}

void detached() {
  std::thread([] {
    counter = 1;
    printf("one\n");
    counter = 2;
    printf("two\n");
  }).detach();
}

void ids() {
  std::thread::id seen;
  std::thread thread([&] { seen = std::this_thread::get_id(); });
  const auto id = thread.get_id();
  thread.join();
  printf("%d %d\n", id == seen, id == std::this_thread::get_id());
}

void joins_itself() {
  std::atomic<std::thread*> known = nullptr;
  std::thread thread([&] {
    while (known == nullptr) std::this_thread::yield();
    try {
      known.load()->join();
    } catch (const std::system_error& error) {
      printf("%d\n", error.code() == std::errc::resource_deadlock_would_occur);
    }
  });
  known = &thread;
  thread.join();
}

void jthread_joins() {
  {
    std::jthread a([] { ++counter; });
    std::jthread b([] { ++counter; });
  }
  printf("%d\n", counter.load());
}

void jthread_stop() {
  const char* seen = "";
  {
    std::jthread thread([&](std::stop_token token) { seen = token.stop_requested() ? "stopped" : "running"; });
    thread.request_stop();
  }
  printf("%s\n", seen);
}

void stop_callback() {
  std::stop_source source;
  int calls = 0;
  {
    std::stop_callback callback(source.get_token(), [&] { ++calls; });
    std::jthread first([source]() mutable { source.request_stop(); });
  }
  // The second request comes too late to do anything.
  printf("%d %d\n", calls, source.request_stop());
}

CASES_MAIN({"three", three}, {"arguments", arguments}, {"nested", nested}, {"detached", detached}, {"ids", ids},
           {"joins_itself", joins_itself}, {"jthread_joins", jthread_joins}, {"jthread_stop", jthread_stop},
           {"stop_callback", stop_callback})
