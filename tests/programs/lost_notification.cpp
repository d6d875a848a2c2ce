// A signal that nobody remembers: the waiter does not ask whether it has already been given, and when the notification
// comes before the wait, it waits for ever.
//
// norn: bug deadlock
// norn expects: when nobody waited, and was lost
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

class Download {
 public:
  void complete(std::string data) {
    std::lock_guard lock(mutex_);
    data_ = std::move(data);
    completed_.notify_one();
  }

  std::string wait() {
    std::unique_lock lock(mutex_);
    completed_.wait(lock);
    return data_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable completed_;
  std::string data_;
};

int main() {
  Download download;
  std::thread network([&] { download.complete("200 OK"); });
  assert(download.wait() == "200 OK");
  network.join();
}
