// A worker that computes for long before it says so. The computation is no reason to let others go first: the worker
// may be done before anybody asks.
//
// norn: bug assertion
#include <atomic>
#include <cassert>
#include <thread>

int numbers[1000];
std::atomic<bool> done = false;

int main() {
  std::thread worker([] {
    for (int round = 0; round < 2000; ++round)
      for (int& number : numbers) number += round;
    done = true;
  });
  assert(!done);
  worker.join();
}
