#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::queue<int> numbers;

void take() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return !numbers.empty(); });
  assert(!numbers.empty());
  numbers.pop();
}

int main() {
  std::thread first(take);
  std::thread second(take);
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard lock(mutex);
    numbers.push(i);
    changed.notify_all();
  }
  first.join();
  second.join();
}
