// A bounded queue with one condition variable for "not full" and one for "not empty": one producer, two consumers, room
// for one item. Every item arrives exactly once, whatever the order.
//
// norn: pass
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
    not_full_.wait(lock, [this] { return items_.size() < capacity_; });
    items_.push_back(item);
    not_empty_.notify_one();
  }

  T pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return !items_.empty(); });
    T item = items_.front();
    items_.pop_front();
    not_full_.notify_one();
    return item;
  }

 private:
  const std::size_t capacity_;
  std::deque<T> items_;
  std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
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
  assert(first + second == 3 && first * second == 2);
}
