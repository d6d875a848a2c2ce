// The example of figure 2 of the paper: two threads that take one lock twice each.

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;

void first_thread() {
  { const std::lock_guard lock(mutex); }
  { const std::lock_guard lock(mutex); }
}

void second_thread() {
  { const std::unique_lock lock(mutex); }
  { const std::unique_lock lock(mutex); }
}

}  // namespace

int main() {
  std::thread first(first_thread);
  std::thread second(second_thread);
  first.join();
  second.join();
}
