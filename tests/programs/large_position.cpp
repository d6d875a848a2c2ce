// An atomic object that is too large for one instruction, so that libatomic does it. Each move is a load and a store,
// so that one of two can be lost. Reports show no values of such objects: they are no numbers.
//
// norn: bug assertion
// norn expects: position.load().x == 2
// norn links: atomic
#include <atomic>
#include <cassert>
#include <thread>

struct Position {
  int x, y, z;
};

int main() {
  std::atomic<Position> position(Position{0, 0, 5});
  const auto move = [&] {
    Position next = position.load();
    ++next.x;
    position.store(next);
  };
  std::thread thread(move);
  move();
  thread.join();
  Position expected{7, 7, 7};
  position.compare_exchange_strong(expected, Position{1, 1, 1});
  position.exchange(position.load());
  assert(position.load().x == 2);
}
