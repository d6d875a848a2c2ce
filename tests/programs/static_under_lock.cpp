// A table that is filled when it is needed first, by a function that takes a lock. Somebody needs it who has that lock.
//
// norn: bug deadlock
// norn expects: runs the initialisation of table_size()::size since
#include <mutex>
#include <thread>

std::recursive_mutex mutex;

int read_size() {
  std::lock_guard lock(mutex);
  return 3;
}

int table_size() {
  static const int size = read_size();
  return size;
}

int main() {
  std::thread reader([] { table_size(); });
  {
    std::lock_guard lock(mutex);
    table_size();
  }
  reader.join();
}
