// Threads that start others, in an order that depends on who comes first; and an assertion that depends on it too.

#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> turn{0};

void grow(int depth) {
  const int mine = turn++;
  std::unique_ptr<std::thread> child;
  if (depth != 0 && mine % 2 == 0) child = std::make_unique<std::thread>(grow, depth - 1);
  if (child) child->join();
  assert(mine != 3 || depth == 1);
}

int main() {
  std::thread one(grow, 2);
  std::thread two(grow, 2);
  std::thread three(grow, 1);
  one.join();
  two.join();
  three.join();
}
