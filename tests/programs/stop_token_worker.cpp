// A worker that sleeps until there is work or it is asked to stop; a jthread asks it when it goes away.
//
// norn: pass
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

class Counter {
 public:
  void add(int amount) {
    std::lock_guard lock(mutex_);
    pending_ += amount;
    changed_.notify_one();
  }

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return pending_ != 0; })) {
      sum_ += pending_;
      pending_ = 0;
    }
  }

  int sum() {
    std::lock_guard lock(mutex_);
    return sum_ + pending_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  int pending_ = 0;
  int sum_ = 0;
};

int main() {
  Counter counter;
  {
    std::jthread worker([&](const std::stop_token& stop) { counter.work(stop); });
    counter.add(3);
  }
  assert(counter.sum() == 3);
}
