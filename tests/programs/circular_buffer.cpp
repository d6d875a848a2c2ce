// A circular buffer for one producer and one consumer that keeps one slot free to tell full from empty. There is room
// for the second item only when the first has been taken.
//
// norn: pass
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

template <std::size_t slots>
class CircularBuffer {
 public:
  bool put(int item) {
    const std::size_t in = in_.load(std::memory_order_relaxed);
    const std::size_t next = (in + 1) % slots;
    if (next == out_.load(std::memory_order_acquire)) return false;
    items_[in] = item;
    in_.store(next, std::memory_order_release);
    return true;
  }

  bool get(int& item) {
    const std::size_t out = out_.load(std::memory_order_relaxed);
    if (out == in_.load(std::memory_order_acquire)) return false;
    item = items_[out];
    out_.store((out + 1) % slots, std::memory_order_release);
    return true;
  }

 private:
  std::array<int, slots> items_{};
  std::atomic<std::size_t> in_{0};
  std::atomic<std::size_t> out_{0};
};

int main() {
  CircularBuffer<2> buffer;
  int put = buffer.put(1);
  std::thread producer([&] { put += buffer.put(2); });
  int got = 0, item = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (!buffer.get(item)) continue;
    ++got;
    assert(item == got);
  }
  producer.join();
  while (buffer.get(item)) assert(item == ++got);
  assert(got == put && got >= 1);
}
