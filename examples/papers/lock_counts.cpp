// Threads that take one lock: every order in which they can is a behaviour.
//
// Arguments: threads (3), how often each of them takes the lock (2). By default it has 90 behaviours; with n threads
// and k times it is (nk)! / (k!)^n.
//
// norn: pass
#include <norn/lock.hpp>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include "arguments.hpp"

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const int count = given.size("threads", 3);
  const int times = given.size("times", 2);
  given.end();

  norn::lock lock;
  int taken = 0;

  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&] {
      for (int left = times; left != 0; --left) {
        const std::lock_guard guard(lock);
        ++taken;
      }
    });
  for (std::thread& thread : threads) thread.join();

  assert(taken == count * times);
}
