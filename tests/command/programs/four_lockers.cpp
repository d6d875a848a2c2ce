// Four threads that take one lock so many times each.

#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;

int main(int, char** arguments) {
  const int times = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([times] {
      for (int k = 0; k < times; ++k) const std::lock_guard lock(mutex);
    });
  for (std::thread& thread : threads) thread.join();
}
