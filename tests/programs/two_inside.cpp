// A room for one, and nothing that keeps the second one out. What fails is that somebody comes in, and not what he does
// next.
//
// norn: bug property
#include <atomic>
#include <norn/property.hpp>
#include <thread>

std::atomic<int> inside;

void visit() {
  ++inside;
  --inside;
}

int main() {
  norn::always([] { return inside.load() <= 1; });
  std::thread one(visit);
  std::thread other(visit);
  one.join();
  other.join();
}
