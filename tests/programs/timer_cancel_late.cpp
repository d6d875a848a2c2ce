// A timer that looks at its cancellation flag and then calls back: a cancellation in between believes that it came in
// time, and the callback finds the world already taken apart.
//
// norn: bug assertion
// norn expects: connected
#include <atomic>
#include <cassert>
#include <chrono>
#include <functional>
#include <thread>

class Timer {
 public:
  Timer(std::chrono::milliseconds delay, std::function<void()> callback)
      : thread_([this, delay, call = std::move(callback)] {
          std::this_thread::sleep_for(delay);
          if (!cancelled_) call();
        }) {}

  ~Timer() { thread_.join(); }

  void cancel() { cancelled_ = true; }

 private:
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

class Session {
 public:
  Session() : keep_alive_(std::chrono::milliseconds(10), [this] { assert(connected); }) {}

  void disconnect() {
    keep_alive_.cancel();
    connected = false;
  }

 private:
  std::atomic<bool> connected{true};
  Timer keep_alive_;
};

int main() {
  Session session;
  session.disconnect();
}
