// A queue with any number of writers and readers that can be closed: readers take what is left and then learn that
// nothing will come, and writers that come too late are told so.
//
// norn: pass
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Queue {
 public:
  bool write(int item) {
    std::lock_guard lock(mutex_);
    if (closed_) return false;
    items_.push_back(item);
    changed_.notify_one();
    return true;
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
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
  bool closed_ = false;
};

int main() {
  Queue queue;
  int read = 0;
  bool written[2] = {false, false};
  std::thread reader([&] {
    while (auto item = queue.read()) read += *item;
  });
  std::thread writer([&] { written[1] = queue.write(7); });
  written[0] = queue.write(5);
  queue.close();
  writer.join();
  reader.join();
  assert(written[0] && read == (written[1] ? 12 : 5));
}
