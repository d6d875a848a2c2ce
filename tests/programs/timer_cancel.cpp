// A timer that can be cancelled: cancel says whether it came in time, and if it did, the callback has not run and never
// will.
//
// norn: pass
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

class Timer {
 public:
  Timer(std::chrono::milliseconds delay, std::function<void()> callback)
      : callback_(std::move(callback)), thread_([this, delay] { wait(delay); }) {}

  ~Timer() {
    cancel();
    thread_.join();
  }

  bool cancel() {
    std::lock_guard lock(mutex_);
    if (fired_) return false;
    cancelled_ = true;
    changed_.notify_one();
    return true;
  }

 private:
  void wait(std::chrono::milliseconds delay) {
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, delay, [this] { return cancelled_; })) return;
      fired_ = true;
    }
    callback_();
  }

  std::function<void()> callback_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool cancelled_ = false;
  bool fired_ = false;
  std::thread thread_;
};

int main() {
  bool rang = false;
  bool in_time = false;
  {
    Timer alarm(std::chrono::milliseconds(10), [&] { rang = true; });
    in_time = alarm.cancel();
  }
  assert(rang == !in_time);
}
