// Three threads that add to a number in two steps, so many times each; the sum is right only if nobody comes between.

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

std::atomic<int> sum{0};

int main(int, char** arguments) {
  const int times = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([times] {
      for (int k = 0; k < times; ++k) {
        const int seen = sum;
        sum = seen + 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  assert(sum != 2 && "two updates of all are left");
}
