// The first attempt on the way to Dekker's algorithm: whoever wants in waits while the other wants in too. When both
// say so at the same time, both wait for ever.
//
// norn: bug livelock
#include <atomic>
#include <cassert>
#include <thread>

class PoliteLock {
 public:
  void lock(int me) {
    wants_[me] = true;
    while (wants_[1 - me]) std::this_thread::yield();
  }

  void unlock(int me) { wants_[me] = false; }

 private:
  std::atomic<bool> wants_[2] = {false, false};
};

int main() {
  PoliteLock lock;
  int counter = 0;
  auto work = [&](int me) {
    lock.lock(me);
    counter++;
    lock.unlock(me);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  assert(counter == 2);
}
