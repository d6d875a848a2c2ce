// A worker that nobody waits for counts its jobs in a variable of main, which may have returned by then.
//
// norn: bug memory data-race
#include <functional>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;

void work(int& jobs) {
  const std::lock_guard guard(mutex);
  ++jobs;
}

}  // namespace

int main() {
  int jobs = 0;
  std::thread(work, std::ref(jobs)).detach();
  const std::lock_guard guard(mutex);
  return 0;
}
