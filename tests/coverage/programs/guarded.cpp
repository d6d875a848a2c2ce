// Two threads that use a plain variable, each in one critical section. With `fail` it aborts in one of the two orders.

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
int value;
bool fails;

}  // namespace

int main(int argc, char** argv) {
  fails = argc > 1 && std::strcmp(argv[1], "fail") == 0;
  std::thread one([] {
    const std::lock_guard lock(mutex);
    if (value == 2 && fails) std::abort();
    value = 3;
    asm volatile("" ::: "memory");  // both are written
    value = 1;
  });
  std::thread other([] {
    const std::lock_guard lock(mutex);
    if (value == 3) std::abort();
    value = 2;
  });
  one.join();
  other.join();
}
