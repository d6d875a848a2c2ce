// A reply that is waited for with a time-out: the caller gets the reply or gives up, and in both cases knows which. The
// late reply is dropped.
//
// norn: pass
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

class Reply {
 public:
  bool deliver(int value) {
    std::lock_guard lock(mutex_);
    if (abandoned_) return false;
    value_ = value;
    arrived_.notify_one();
    return true;
  }

  std::optional<int> wait_for(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, limit, [this] { return value_.has_value(); })) abandoned_ = true;
    return value_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::optional<int> value_;
  bool abandoned_ = false;
};

int main() {
  Reply reply;
  bool delivered = false;
  std::thread server([&] { delivered = reply.deliver(42); });
  const std::optional<int> value = reply.wait_for(std::chrono::milliseconds(100));
  server.join();
  assert(value.has_value() == delivered);
  assert(!value || *value == 42);
}
