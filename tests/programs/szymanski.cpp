// Szymanski's algorithm: a waiting room with two doors. Those who arrive together go in together, leave one after the
// other, and the last one to leave opens the door to the room again.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class SzymanskiLock {
 public:
  void lock(int me) {
    const int other = 1 - me;
    flags_[me] = intends;
    while (flags_[other] >= in_doorway) std::this_thread::yield();
    flags_[me] = in_doorway;
    if (flags_[other] == intends) {
      flags_[me] = waits_for_others;
      while (flags_[other] != door_closed) std::this_thread::yield();
    }
    flags_[me] = door_closed;
    // Lower numbers go first.
    while (me == 1 && flags_[0] > intends) std::this_thread::yield();
  }

  void unlock(int me) {
    // Whoever is still on the way in has to see that the door was closed before it can be opened again.
    while (me == 0 && is_on_the_way(flags_[1])) std::this_thread::yield();
    flags_[me] = outside;
  }

 private:
  enum Flag { outside, intends, waits_for_others, in_doorway, door_closed };

  static bool is_on_the_way(int flag) { return flag == waits_for_others || flag == in_doorway; }

  std::atomic<int> flags_[2] = {outside, outside};
};

int main() {
  SzymanskiLock lock;
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
