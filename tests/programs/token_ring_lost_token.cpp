// A token ring that hands the token on with notify_one: it may wake a station whose turn it is not, which goes back to
// sleep and does not pass the news on.
//
// norn: bug deadlock
// norn expects: woke it, and it began to wait again
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class TokenRing {
 public:
  explicit TokenRing(int stations) : stations_(stations) {}

  void send(int station) {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] { return token_ == station; });
    log_.push_back(station);
    token_ = (token_ + 1) % stations_;
    moved_.notify_one();
  }

  const std::vector<int>& log() const { return log_; }

 private:
  const int stations_;
  std::mutex mutex_;
  std::condition_variable moved_;
  int token_ = 0;
  std::vector<int> log_;
};

int main() {
  TokenRing ring(3);
  std::thread third([&] { ring.send(2); });
  std::thread second([&] { ring.send(1); });
  ring.send(0);
  second.join();
  third.join();
  assert(ring.log() == std::vector({0, 1, 2}));
}
