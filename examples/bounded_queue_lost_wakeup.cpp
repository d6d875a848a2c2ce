// A bounded queue that saves a condition variable: "not full" and "not empty" share one, and notify_one wakes whoever
// it likes. When a consumer's notification for the waiting producer goes to the other consumer, that one finds the
// queue empty and waits again, and nobody is left to wake the producer.
//
// norn: bug deadlock
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>

template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  void push(T item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return items_.size() < capacity_; });
    items_.push_back(item);
    changed_.notify_one();
  }

  T pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !items_.empty(); });
    T item = items_.front();
    items_.pop_front();
    changed_.notify_one();  // notify_all would do it right
    return item;
  }

 private:
  const std::size_t capacity_;
  std::deque<T> items_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

int main() {
  BoundedQueue<int> queue(1);
  int first = 0, second = 0;
  std::thread consumer1([&] { first = queue.pop(); });
  std::thread consumer2([&] { second = queue.pop(); });
  queue.push(1);
  queue.push(2);
  consumer1.join();
  consumer2.join();
  assert(first + second == 3);
}
