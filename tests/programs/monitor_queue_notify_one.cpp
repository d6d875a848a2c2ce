// A queue whose close wakes one reader, though two may be waiting: the other never learns that nothing will come.
//
// norn: bug deadlock
// norn expects: woke main/
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Queue {
 public:
  void write(int item) {
    std::lock_guard lock(mutex_);
    items_.push_back(item);
    changed_.notify_one();
  }

  std::optional<int> read() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    const int item = items_.front();
    items_.pop_front();
    return item;
  }

  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
  bool closed_ = false;
};

int main() {
  Queue queue;
  int sums[2] = {0, 0};
  auto read_all = [&](int me) {
    while (auto item = queue.read()) sums[me] += *item;
  };
  std::thread first(read_all, 0);
  std::thread second(read_all, 1);
  queue.write(5);
  queue.close();
  first.join();
  second.join();
  assert(sums[0] + sums[1] == 5);
}
