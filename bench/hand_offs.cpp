#include "hand_offs.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace {

constexpr int rounds = 50'000;
std::atomic<int> baton{0};

void pin_to(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

void pass_back_and_forth(int me) {
  const int other = 1 - me;
  for (int i = 0; i < rounds; ++i) {
    while (baton.load() != me) syscall(SYS_futex, &baton, FUTEX_WAIT_PRIVATE, other, nullptr, nullptr, 0);
    baton.store(other);
    syscall(SYS_futex, &baton, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
}

double measure(int first, int second) {
  cpu_set_t before;
  pthread_getaffinity_np(pthread_self(), sizeof before, &before);
  baton = 0;
  const auto start = std::chrono::steady_clock::now();
  std::thread partner([second] {
    pin_to(second);
    pass_back_and_forth(1);
  });
  pin_to(first);
  pass_back_and_forth(0);
  partner.join();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  pthread_setaffinity_np(pthread_self(), sizeof before, &before);
  return 2 * rounds / elapsed.count();
}

}  // namespace

double hand_offs_per_second() { return std::max(measure(0, 0), measure(0, 1)); }
