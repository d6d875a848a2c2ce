// Thirty threads, the main one included, that each count once; the count is wrong on purpose.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::atomic<int> count;

int main() {
  constexpr int others = 29;
  std::vector<std::thread> threads;
  for (int i = 0; i < others; ++i)
    threads.emplace_back([] {
      std::lock_guard lock(mutex);
      ++count;
    });
  for (std::thread& thread : threads) thread.join();
  assert(count != others);
}
