// The queue lock of Mellor-Crummey and Scott: every thread spins on a flag of its own and is let in by its predecessor.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>

class McsLock {
 public:
  /// For one use.
  struct Place {
    std::atomic<Place*> next{nullptr};
    std::atomic<bool> waiting{true};
  };

  void lock(Place& mine) {
    Place* previous = last_.exchange(&mine, std::memory_order_acq_rel);
    if (previous == nullptr) return;
    previous->next.store(&mine, std::memory_order_release);
    while (mine.waiting.load(std::memory_order_acquire)) std::this_thread::yield();
  }

  void unlock(Place& mine) {
    Place* expected = &mine;
    if (last_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) return;
    Place* next = nullptr;
    while ((next = mine.next.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
    next->waiting.store(false, std::memory_order_release);
  }

 private:
  std::atomic<Place*> last_{nullptr};
};

int main() {
  McsLock lock;
  McsLock::Place mine;
  int counter = 0;
  lock.lock(mine);
  std::thread other([&] {
    McsLock::Place place;
    lock.lock(place);
    counter++;
    lock.unlock(place);
  });
  counter++;
  lock.unlock(mine);
  other.join();
  assert(counter == 2);
}
