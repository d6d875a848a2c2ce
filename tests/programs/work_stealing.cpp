// The work-stealing deque of Chase and Lev: its owner pushes and pops at the bottom, thieves steal from the top, and
// for the last item they compete with a compare-exchange. Every item is taken exactly once.
//
// norn: pass
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

class WorkStealingDeque {
 public:
  void push(int item) {
    const long bottom = bottom_.load(std::memory_order_relaxed);
    items_[bottom % capacity].store(item, std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_release);
  }

  std::optional<int> pop() {
    const long bottom = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(bottom);
    long top = top_.load();
    if (top > bottom) {
      bottom_.store(bottom + 1, std::memory_order_relaxed);
      return std::nullopt;
    }
    std::optional<int> item = items_[bottom % capacity].load(std::memory_order_relaxed);
    if (top == bottom) {
      if (!top_.compare_exchange_strong(top, top + 1)) item.reset();
      bottom_.store(bottom + 1, std::memory_order_relaxed);
    }
    return item;
  }

  std::optional<int> steal() {
    long top = top_.load();
    const long bottom = bottom_.load();
    if (top >= bottom) return std::nullopt;
    const int item = items_[top % capacity].load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(top, top + 1)) return std::nullopt;
    return item;
  }

 private:
  static constexpr long capacity = 4;
  std::atomic<long> top_{0};
  std::atomic<long> bottom_{0};
  std::array<std::atomic<int>, capacity> items_{};
};

int main() {
  WorkStealingDeque deque;
  deque.push(1);
  deque.push(2);
  int done = 0, stolen = 0;
  std::thread thief([&] {
    if (auto item = deque.steal()) stolen = *item;
  });
  while (auto item = deque.pop()) done += *item;
  thief.join();
  assert(done + stolen == 3);
}
