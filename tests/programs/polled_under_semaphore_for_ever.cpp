// A semaphore serves as a mutex, and a worker looks under it whether it should stop. Others get the semaphore, too, but
// none of them ever says so.
//
// norn: bug livelock
#include <semaphore>
#include <thread>

static std::binary_semaphore guard(1);
static bool stop = false;
static int visits = 0;

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
  ++visits;
  guard.release();
  worker.join();
}
