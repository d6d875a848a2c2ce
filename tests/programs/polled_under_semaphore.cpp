// A semaphore serves as a mutex, and a worker looks under it whether it should stop. Where the worker has the semaphore
// nobody else can move, but it gives it back each time.
//
// norn: pass
#include <semaphore>
#include <thread>

static std::binary_semaphore guard(1);
static bool stop = false;

static void work() {
  for (bool seen = false; !seen;) {
    guard.acquire();
    seen = stop;
    guard.release();
  }
}

int main() {
  std::thread worker(work);
  guard.acquire();
  stop = true;
  guard.release();
  worker.join();
}
