// A sequence lock whose reader waits for an even number but does not look again afterwards: a write that begins while
// it reads gives it one old and one new value.
//
// norn: bug assertion
// norn expects: seen.x == -seen.y
#include <atomic>
#include <cassert>
#include <thread>

struct Point {
  int x, y;
};

class SharedPoint {
 public:
  void write(Point point) {
    sequence_.fetch_add(1);
    x_ = point.x;
    y_ = point.y;
    sequence_.fetch_add(1);
  }

  Point read() const {
    while (sequence_ % 2 != 0) std::this_thread::yield();
    const int x = x_;
    const int y = y_;
    return {x, y};
  }

 private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> x_{0};
  std::atomic<int> y_{0};
};

int main() {
  SharedPoint shared;
  std::thread writer([&] {
    shared.write({1, -1});
    shared.write({2, -2});
  });
  const Point seen = shared.read();
  writer.join();
  assert(seen.x == -seen.y);
}
