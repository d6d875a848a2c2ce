// Ten thousand events in one run, which fails at its end.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> steps;

void walk() {
  for (int i = 0; i < 2500; ++i) ++steps;
}

int main() {
  std::thread one(walk), two(walk), three(walk);
  walk();
  one.join();
  two.join();
  three.join();
  assert(steps != 10'000);
}
