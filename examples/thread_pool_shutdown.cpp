// A thread pool whose destructor sets its flag without the lock: a worker that has just seen the flag unset but does
// not wait yet misses the notification, and the destructor waits for that worker for ever. That the flag is atomic does
// not help.
//
// norn: bug deadlock
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class ThreadPool {
 public:
  explicit ThreadPool(std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) workers_.emplace_back([this] { work(); });
  }

  ~ThreadPool() {
    stopping_ = true;  // holding mutex_ here would do it right
    changed_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  void submit(std::function<void()> job) {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return !jobs_.empty() || stopping_; });
      if (jobs_.empty()) return;
      auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> workers_;
};

int main() {
  int result = 0;
  {
    ThreadPool pool(1);
    pool.submit([&] { result = 42; });
  }
  assert(result == 42);
}
