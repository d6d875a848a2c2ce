// tbb::spin_mutex, waited for by one thread and tried by the other.
//
// norn: pass
#include <tbb/spin_mutex.h>

#include <cassert>
#include <thread>

int main() {
  tbb::spin_mutex mutex;
  int counter = 0;
  bool counted = false;
  std::thread visitor([&] {
    tbb::spin_mutex::scoped_lock lock;
    if (!lock.try_acquire(mutex)) return;
    counter++;
    counted = true;
  });
  {
    tbb::spin_mutex::scoped_lock lock(mutex);
    counter++;
  }
  visitor.join();
  assert(counter == 1 + counted);
}
