// A lock-free list of free slots with the ABA problem: between a thread's look at the first slot and its
// compare-exchange, another one takes two slots and gives the first back. The compare-exchange succeeds, for the first
// slot is the same again, but the second it installs is in use.
//
// norn: bug assertion
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

class FreeList {
 public:
  static constexpr int none = -1;

  int take() {
    int slot = first_;
    while (slot != none && !first_.compare_exchange_strong(slot, next_[slot])) {
    }
    return slot;
  }

  void give_back(int slot) {
    int first = first_;
    do {
      next_[slot] = first;
    } while (!first_.compare_exchange_strong(first, slot));
  }

 private:
  std::atomic<int> first_{0};
  std::array<std::atomic<int>, 3> next_ = {1, 2, none};
};

int main() {
  FreeList free_slots;
  int kept = FreeList::none;
  std::thread other([&] {
    const int borrowed = free_slots.take();
    kept = free_slots.take();
    free_slots.give_back(borrowed);
  });
  const int mine = free_slots.take();
  other.join();
  const int next = free_slots.take();
  assert(mine != kept && next != kept);
}
