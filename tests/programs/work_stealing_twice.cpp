// A work-stealing deque whose owner does not compete for the last item: it sees one item left and takes it, while a
// thief that saw the same item takes it too.
//
// norn: bug assertion
// norn expects: done + stolen == 3
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

class WorkStealingDeque {
 public:
  void push(int item) {
    const long bottom = bottom_.load();
    items_[bottom % capacity] = item;
    bottom_ = bottom + 1;
  }

  std::optional<int> pop() {
    const long bottom = bottom_.load() - 1;
    bottom_ = bottom;
    const long top = top_.load();
    if (top > bottom) {
      bottom_ = bottom + 1;
      return std::nullopt;
    }
    return items_[bottom % capacity];
  }

  std::optional<int> steal() {
    long top = top_.load();
    if (top >= bottom_.load()) return std::nullopt;
    const int item = items_[top % capacity];
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
  for (int i = 0; i < 2; ++i)
    if (auto item = deque.pop()) done += *item;
  thief.join();
  assert(done + stolen == 3);
}
