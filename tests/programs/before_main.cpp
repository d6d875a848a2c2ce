// Memory, a file and a lock that are there before main() begins are as they were then in every run, and clocks go on
// from there.
//
// norn: pass
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
using Counter = std::atomic<int>;

static auto* const counter =
    static_cast<Counter*>(mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
static const int file = open("/proc/self/exe", O_RDONLY);
static std::mutex mutex;
static std::unique_lock held(mutex);
static std::condition_variable never;
static const auto start = std::chrono::steady_clock::now();
static const auto day = std::chrono::system_clock::now();
static const bool timed_out = never.wait_until(held, start + 2ms) == std::cv_status::timeout;

int main() {
  assert(*counter == 0);
  assert(timed_out);
  const auto since = std::chrono::steady_clock::now() - start;
  assert(since >= 2ms && since < 1h);
  assert(std::chrono::system_clock::now() - day < 1h);
  std::thread other([] {
    ++*counter;
    std::lock_guard lock(mutex);
  });
  ++*counter;
  char first = 0;
  assert(read(file, &first, 1) == 1 && first == 0x7f);
  poll(nullptr, 0, 10);  // sleeps
  held.unlock();
  other.join();
  assert(*counter == 2);
}
