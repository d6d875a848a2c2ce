// A queue for one producer and one consumer. Each of them keeps what it last saw of the other's index and looks again
// only when there seems to be nothing to do: while it waits, it stores again and again what is there already.
//
// norn: pass
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

class Queue {
 public:
  void push(int value) {
    const std::size_t at = written_.load(std::memory_order_relaxed);
    while (at - seen_read_ == slots_.size()) seen_read_ = read_.load(std::memory_order_acquire);
    slots_[at % slots_.size()] = value;
    written_.store(at + 1, std::memory_order_release);
  }

  int pop() {
    const std::size_t at = read_.load(std::memory_order_relaxed);
    while (at == seen_written_) seen_written_ = written_.load(std::memory_order_acquire);
    const int value = slots_[at % slots_.size()];
    read_.store(at + 1, std::memory_order_release);
    return value;
  }

 private:
  std::array<int, 2> slots_{};
  std::atomic<std::size_t> written_{0};
  std::size_t seen_read_ = 0;
  std::atomic<std::size_t> read_{0};
  std::size_t seen_written_ = 0;
};

int main() {
  Queue queue;
  std::thread producer([&] {
    for (int i = 1; i <= 4; ++i) queue.push(i);
  });
  for (int i = 1; i <= 4; ++i) assert(queue.pop() == i);
  producer.join();
}
