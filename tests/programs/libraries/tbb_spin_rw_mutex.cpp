// tbb::spin_rw_mutex with a writer and a reader that upgrades its lock when it finds something to do, and looks again
// if it had to let go in between.
//
// norn: pass
#include <tbb/spin_rw_mutex.h>

#include <cassert>
#include <thread>

int main() {
  tbb::spin_rw_mutex mutex;
  int open_tasks = 0, done_tasks = 0;
  std::thread writer([&] {
    tbb::spin_rw_mutex::scoped_lock lock(mutex, true);
    ++open_tasks;
  });
  {
    tbb::spin_rw_mutex::scoped_lock lock(mutex, false);
    if (open_tasks > 0) {
      lock.upgrade_to_writer();
      done_tasks += open_tasks;
      open_tasks = 0;
    }
  }
  writer.join();
  assert(open_tasks + done_tasks == 1);
}
