// A circular buffer with counters that run freely and a bound that is off by one: a producer one full round ahead
// overwrites the item that the consumer has not read yet.
//
// norn: bug assertion
// norn expects: item == expected
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

template <std::size_t slots>
class CircularBuffer {
 public:
  bool put(int item) {
    const std::size_t in = in_.load();
    if (in - out_.load() > slots) return false;
    items_[in % slots] = item;
    in_.store(in + 1);
    return true;
  }

  bool get(int& item) {
    const std::size_t out = out_.load();
    if (out == in_.load()) return false;
    item = items_[out % slots];
    out_.store(out + 1);
    return true;
  }

 private:
  std::array<std::atomic<int>, slots> items_{};
  std::atomic<std::size_t> in_{0};
  std::atomic<std::size_t> out_{0};
};

int main() {
  CircularBuffer<2> buffer;
  std::thread producer([&] {
    for (int item = 1; item <= 3; ++item)
      if (!buffer.put(item)) return;
  });
  int expected = 1;
  for (int attempt = 0; attempt < 2; ++attempt) {
    int item = 0;
    if (!buffer.get(item)) continue;
    assert(item == expected);
    ++expected;
  }
  producer.join();
}
