// The same with a computation that changes nothing, which looks like a loop that waits until it has gone on for long.
//
// norn: bug assertion
#include <atomic>
#include <cassert>
#include <thread>

int numbers[1000];
std::atomic<bool> done = false;

int main() {
  std::thread worker([] {
    int sum = 0;
    for (int round = 0; round < 3000; ++round)
      for (const int& number : numbers) sum += number;
    done = sum == 0;
  });
  assert(!done);
  worker.join();
}
