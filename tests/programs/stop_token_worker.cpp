// A worker that is asked to stop by the jthread that owns it: it counts until it sees the request, and a callback tells
// those who are not looking.
//
// norn: pass
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

class Door {
 public:
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

int main() {
  bool was_asked = false;
  {
    std::jthread worker([&](const std::stop_token& stop) {
      Door door;
      const std::stop_callback open_door(stop, [&] { door.open(); });
      door.wait();
      was_asked = stop.stop_requested();
    });
  }
  assert(was_asked);
}
