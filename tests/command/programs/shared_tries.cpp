// A lock on the stack of the main thread that one thread tries to take for itself, while others share it.
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex mutex;
  std::thread reader([&] { std::shared_lock lock(mutex); });
  std::thread writer([&] {
    if (mutex.try_lock()) mutex.unlock();
  });
  { std::shared_lock lock(mutex); }
  reader.join();
  writer.join();
}
