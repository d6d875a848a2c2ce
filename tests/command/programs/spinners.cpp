// Threads that wait for a lock in a loop, so many times each.

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

std::atomic<bool> taken{false};

int main(int, char** arguments) {
  const int times = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([times] {
      for (int k = 0; k < times; ++k) {
        while (taken.exchange(true)) {
        }
        taken = false;
      }
    });
  for (std::thread& thread : threads) thread.join();
}
