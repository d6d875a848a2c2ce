// The result of a call goes straight to where another thread reads.
//
// norn: bug data-race
// norn expects: writes
#include <thread>

struct Position {
  double x, y, z;
};

Position position{};

[[gnu::noinline]] Position moved(Position from, double by) { return {from.x + by, from.y, from.z}; }

int main() {
  std::thread moving([] { position = moved({1, 2, 3}, 4); });
  const double height = position.z;
  moving.join();
  return height > 3 ? 1 : 0;
}
