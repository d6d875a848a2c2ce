// A lock-free ring buffer for one producer and one consumer: what comes out is what went in, in order.
//
// norn: pass
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <optional>
#include <thread>
#include <vector>

template <typename T, std::size_t capacity>
class RingBuffer {
 public:
  bool try_push(T item) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == capacity) return false;
    items_[tail % capacity] = item;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  std::optional<T> try_pop() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return std::nullopt;
    T item = items_[head % capacity];
    head_.store(head + 1, std::memory_order_release);
    return item;
  }

 private:
  std::array<T, capacity> items_{};
  std::atomic<std::size_t> head_{0};
  std::atomic<std::size_t> tail_{0};
};

int main() {
  RingBuffer<int, 1> buffer;
  int pushed = 0;
  std::thread producer([&] {
    for (int item = 1; item <= 2; ++item) {
      if (buffer.try_push(item)) ++pushed;
    }
  });
  std::vector<int> popped;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (auto item = buffer.try_pop()) popped.push_back(*item);
  }
  producer.join();
  while (auto item = buffer.try_pop()) popped.push_back(*item);
  assert(static_cast<int>(popped.size()) == pushed && pushed >= 1);
  assert(popped == std::vector({1}) || popped == std::vector({1, 2}));
}
