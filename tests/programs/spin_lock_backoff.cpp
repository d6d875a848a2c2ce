// A spin lock that looks before it tries (test and test-and-set), and that waits longer after every failure before it
// gives the processor away.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinLock {
 public:
  void lock() {
    int pauses = 1;
    while (locked_.load(std::memory_order_relaxed) || locked_.exchange(true, std::memory_order_acquire)) {
      for (int i = 0; i < pauses; ++i) pause();
      if (pauses < longest_pause)
        pauses *= 2;
      else
        std::this_thread::yield();
    }
  }

  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  static constexpr int longest_pause = 4;
  static void pause() { __builtin_ia32_pause(); }

  std::atomic<bool> locked_{false};
};

int main() {
  SpinLock lock;
  int counter = 0;
  auto count = [&] {
    std::lock_guard guard(lock);
    counter++;
  };
  std::thread other(count);
  count();
  other.join();
  assert(counter == 2);
}
