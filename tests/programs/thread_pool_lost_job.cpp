// A thread pool whose workers look at the stop flag first: a job that is still in the queue when the pool is destroyed
// is never done.
//
// norn: bug assertion
// norn expects: square == 49
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class Worker {
 public:
  Worker() : thread_([this] { work(); }) {}

  ~Worker() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void submit(std::function<void()> job) {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      if (jobs_.empty()) {
        changed_.wait(lock);
        continue;
      }
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
  bool stopping_ = false;
  std::thread thread_;
};

int main() {
  int square = 0;
  {
    Worker worker;
    worker.submit([&] { square = 7 * 7; });
  }
  assert(square == 49);
}
