// A thread that does nothing that others can see, and a line of source that is wider than most terminals.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> count;

int main() {
  std::thread idle([] {});
  std::thread busy([] { ++count; });
  idle.join();
  busy.join();
  // clang-format off
  assert(count != 1 && "this line is so long that it does not fit where text is wrapped, and everything up to the last word of it matters");
  // clang-format on
}
