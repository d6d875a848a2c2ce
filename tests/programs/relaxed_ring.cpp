// A ring with one slot, whose producer publishes what it has put there by a relaxed store, which publishes nothing.
// Both sides give way while they wait for each other. norn: bug data-race norn expects: writes ring.slot
#include <atomic>
#include <cassert>
#include <thread>

namespace {

class Ring {
 public:
  bool push(int value) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == 1) return false;
    slot = value;
    tail_.store(tail + 1, std::memory_order_relaxed);
    return true;
  }

  bool pop(int& value) {
    const unsigned head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    value = slot;
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  std::atomic<unsigned> head_ = 0;
  std::atomic<unsigned> tail_ = 0;
  int slot = 0;
};

}  // namespace

int main() {
  Ring ring;
  std::thread producer([&ring] {
    for (int i = 1; i <= 2; ++i)
      while (!ring.push(i)) std::this_thread::yield();
  });
  for (int i = 1; i <= 2; ++i) {
    int value = 0;
    while (!ring.pop(value)) std::this_thread::yield();
    assert(value == i);
  }
  producer.join();
}
