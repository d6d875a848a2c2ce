// Two threads of which the wrong one may come first; then the program ends as its argument says. Or it takes a lock
// again and again.

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

int main(int argc, char** argv) {
  std::mutex mutex;
  if (argc == 2 && std::strcmp(argv[1], "busy") == 0) {
    for (int i = 0; i < 1'000'001; ++i) const std::lock_guard lock(mutex);
    return 0;
  }
  int order = 0;
  std::thread first([&] {
    const std::lock_guard lock(mutex);
    order = order * 10 + 1;
  });
  std::thread second([&] {
    const std::lock_guard lock(mutex);
    order = order * 10 + 2;
  });
  first.join();
  second.join();
  if (order == 12 || argc != 2) return 0;
  if (std::strcmp(argv[1], "abort") == 0) std::abort();
  if (std::strcmp(argv[1], "exit") == 0) return 7;
  for (std::atomic<int> never = 0; never == 0;) std::this_thread::yield();
}
