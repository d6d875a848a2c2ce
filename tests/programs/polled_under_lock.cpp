// A worker looks under a lock whether it should stop, again and again, and does a little in between. Sooner or later
// all is as it was before, whatever is left on its stack by then.
//
// norn: pass
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static bool stop = false;
static int beat = 0;

static void work() {
  for (;;) {
    std::lock_guard lock(mutex);
    if (stop) break;
    beat = (beat + 1) % 3;
  }
}

int main() {
  std::thread worker(work);
  {
    std::lock_guard lock(mutex);
    stop = true;
  }
  worker.join();
  assert(beat < 3);
}
