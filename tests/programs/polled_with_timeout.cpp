// Nobody notifies, so a waiter looks every ten milliseconds. It gives back the mutex while it sleeps, and only then.
//
// norn: pass
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready = false;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    while (!ready) condition.wait_for(lock, std::chrono::milliseconds(10));
  });
  std::thread setter([] {
    std::lock_guard lock(mutex);
    ready = true;
  });
  waiter.join();
  setter.join();
}
