// The same worker, but main calls exit: it never returns, and its variables stay.
//
// norn: pass
#include <cstdlib>
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
  mutex.lock();
  mutex.unlock();
  std::exit(0);
}
