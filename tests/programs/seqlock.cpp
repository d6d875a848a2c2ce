// A sequence lock: the writer makes the sequence number odd while it writes, and a reader that saw an odd number, or
// two different ones, reads again. The data are relaxed atomics, so that reading them during a write is no data race.
//
// norn: pass
// norn slow
#include <atomic>
#include <cassert>
#include <thread>

struct Point {
  int x, y;
};

class SharedPoint {
 public:
  void write(Point point) {
    const unsigned sequence = sequence_.load(std::memory_order_relaxed);
    sequence_.store(sequence + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    x_.store(point.x, std::memory_order_relaxed);
    y_.store(point.y, std::memory_order_relaxed);
    sequence_.store(sequence + 2, std::memory_order_release);
  }

  Point read() const {
    while (true) {
      const unsigned before = sequence_.load(std::memory_order_acquire);
      const Point point{x_.load(std::memory_order_relaxed), y_.load(std::memory_order_relaxed)};
      std::atomic_thread_fence(std::memory_order_acquire);
      const unsigned after = sequence_.load(std::memory_order_relaxed);
      if (before == after && before % 2 == 0) return point;
    }
  }

 private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> x_{0};
  std::atomic<int> y_{0};
};

int main() {
  SharedPoint shared;
  std::thread writer([&] { shared.write({1, -1}); });
  const Point seen = shared.read();
  writer.join();
  assert(seen.x == -seen.y);
  const Point last = shared.read();
  assert(last.x == 1 && last.y == -1);
}
