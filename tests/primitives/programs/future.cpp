// std::async, std::future, std::promise, std::shared_future, std::packaged_task.

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

#include "cases.h"

using namespace std::chrono_literals;

void async() {
  auto future = std::async(
      std::launch::async, [](int x) { return 2 * x; }, 21);
  printf("%d\n", future.get());
}

void deferred() {
  bool ran = false;
  auto future = std::async(std::launch::deferred, [&] { ran = true; });
  const bool waits = future.wait_for(0s) == std::future_status::deferred;
  const bool before = ran;
  future.get();
  printf("%d %d %d\n", waits, before, ran);
}

void two_asyncs() {
  std::atomic<int> order(0);
  auto a = std::async(std::launch::async, [&] { return ++order; });
  auto b = std::async(std::launch::async, [&] { return ++order; });
  const int first = a.get();
  printf("%d %d\n", first, b.get());
}

void promise() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread thread([&] { promise.set_value(42); });
  printf("%d\n", future.get());
  thread.join();
}

void exception() {
  auto future = std::async(std::launch::async, []() -> int { throw std::runtime_error("thrown there"); });
  try {
    future.get();
  } catch (const std::runtime_error& error) {
    printf("%s\n", error.what());
  }
}

void broken_promise() {
  std::future<int> future;
  std::thread([&] { future = std::promise<int>().get_future(); }).join();
  try {
    future.get();
  } catch (const std::future_error& error) {
    printf("%d\n", error.code() == std::future_errc::broken_promise);
  }
}

void shared_future() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  int seen[2] = {};
  std::thread a([&] { seen[0] = future.get(); });
  std::thread b([&] { seen[1] = future.get(); });
  promise.set_value(7);
  a.join();
  b.join();
  printf("%d %d\n", seen[0], seen[1]);
}

void packaged_task() {
  std::packaged_task<int(int)> task([](int x) { return x + 1; });
  auto future = task.get_future();
  std::thread thread(std::move(task), 1);
  printf("%d\n", future.get());
  thread.join();
}

void wait_for() {
  std::promise<void> promise;
  auto future = promise.get_future();
  std::thread thread([&] { promise.set_value(); });
  const auto status = future.wait_for(1s);
  thread.join();
  printf("%s\n", status == std::future_status::ready ? "ready" : "timeout");
}

void at_thread_exit() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread thread([&] { promise.set_value_at_thread_exit(42); });
  const bool ready = future.wait_for(0s) == std::future_status::ready;
  printf("%d %d\n", ready, future.get());
  thread.join();
}

// The result may live until the thread ends, or be gone by then.
void nobody_waits() {
  std::promise<std::string> promise;
  auto future = promise.get_future();
  std::thread thread([own = std::move(promise)]() mutable { own.set_value_at_thread_exit("for nobody, in the end"); });
  future = {};
  thread.join();
}

void never_set() {
  std::promise<void> promise;
  promise.get_future().wait();
}

CASES_MAIN({"async", async}, {"deferred", deferred}, {"two_asyncs", two_asyncs}, {"promise", promise},
           {"exception", exception}, {"broken_promise", broken_promise}, {"shared_future", shared_future},
           {"packaged_task", packaged_task}, {"wait_for", wait_for}, {"at_thread_exit", at_thread_exit},
           {"nobody_waits", nobody_waits}, {"never_set", never_set})
