// Szymanski's algorithm: a waiting room with two doors. Those who arrive together go in together, leave one after the
// other, and the last one to leave opens the door to the room again. Who would have to wait goes away.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class SzymanskiLock {
 public:
  bool try_lock(int me) {
    std::atomic<int>& mine = flags_[me];
    const std::atomic<int>& other = flags_[1 - me];
    mine = intends;
    if (other >= in_doorway) return leave(me);
    mine = in_doorway;
    if (other == intends) {
      mine = waits_for_others;
      if (other != door_closed) return leave(me);
    }
    mine = door_closed;
    // Lower numbers go first.
    if (me == 1 && other > intends) return leave(me);
    return true;
  }

  void unlock(int me) {
    // Whoever is still on the way in has to see that the door was closed before it can be opened again.
    while (me == 0 && is_on_the_way(flags_[1])) std::this_thread::yield();
    flags_[me] = outside;
  }

 private:
  enum Flag { outside, intends, waits_for_others, in_doorway, door_closed };

  static bool is_on_the_way(int flag) { return flag == waits_for_others || flag == in_doorway; }

  bool leave(int me) {
    flags_[me] = outside;
    return false;
  }

  std::atomic<int> flags_[2] = {outside, outside};
};

int main() {
  SzymanskiLock lock;
  int counter = 0, counted[2] = {0, 0};
  auto work = [&](int me) {
    if (!lock.try_lock(me)) return;
    counter++;
    counted[me]++;
    lock.unlock(me);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  assert(counter == counted[0] + counted[1]);
}
