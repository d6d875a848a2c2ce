// A worker that nobody waits for writes to a variable of main as its first deed, so that it mostly comes in time. But
// nothing makes main wait for that before it returns.
//
// norn: bug data-race memory
// norn expects: leaves result
#include <atomic>
#include <functional>
#include <thread>

namespace {

std::atomic<int> signals = 0;

void work(int& result) {
  result = 42;
  ++signals;
}

}  // namespace

int main() {
  int result = 0;
  std::thread(work, std::ref(result)).detach();
  ++signals;
  return 0;
}
