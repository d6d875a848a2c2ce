// A task that is deleted by whoever waited for it, as soon as it says that it is done: it says so while it holds its
// own mutex, which is gone when it comes to unlock it.
//
// norn: bug memory data-race
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>

class Task {
 public:
  void run(int steps) {
    std::lock_guard lock(mutex_);
    progress_ += steps;
    if (progress_ == goal) done_.release();
  }

  void wait() { done_.acquire(); }

 private:
  static constexpr int goal = 3;
  std::mutex mutex_;
  int progress_ = 0;
  std::binary_semaphore done_{0};
};

int main() {
  auto task = std::make_unique<Task>();
  std::thread worker([running = task.get()] { running->run(3); });
  task->wait();
  task.reset();
  worker.join();
}
