// Two producers of a lock-free queue in which a tail that was left behind is helped along by the next who comes.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};

class Queue {
 public:
  void enqueue(Node* node) {
    while (true) {
      Node* tail = tail_.load(std::memory_order_acquire);
      Node* next = nullptr;
      if (tail->next.compare_exchange_strong(next, node, std::memory_order_acq_rel)) {
        tail_.compare_exchange_strong(tail, node, std::memory_order_acq_rel);
        return;
      }
      tail_.compare_exchange_strong(tail, next, std::memory_order_acq_rel);
    }
  }

  std::vector<int> values() const {
    std::vector<int> found;
    for (const Node* node = first_.next; node != nullptr; node = node->next) found.push_back(node->value);
    return found;
  }

  const Node* last() const { return tail_; }

 private:
  Node first_;
  std::atomic<Node*> tail_{&first_};
};

int main() {
  Queue queue;
  Node nodes[3] = {{1}, {2}, {3}};
  std::thread other([&] { queue.enqueue(&nodes[2]); });
  queue.enqueue(&nodes[0]);
  queue.enqueue(&nodes[1]);
  other.join();
  const std::vector<int> values = queue.values();
  assert(values == std::vector({1, 2, 3}) || values == std::vector({1, 3, 2}) || values == std::vector({3, 1, 2}));
  assert(queue.last()->next == nullptr);
}
