// The lock-free queue of Michael and Scott: a thread that finds the tail behind helps it along. Nodes are kept until
// the queue goes away, so that nobody looks at freed memory.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

class Queue {
 public:
  ~Queue() {
    for (Node* node = &first_; node != nullptr;) {
      Node* next = node->next;
      if (node != &first_) delete node;
      node = next;
    }
  }

  void enqueue(int value) {
    Node* node = new Node(value);
    while (true) {
      Node* tail = tail_;
      Node* next = tail->next;
      if (next != nullptr) {
        tail_.compare_exchange_strong(tail, next);
      } else if (tail->next.compare_exchange_strong(next, node)) {
        tail_.compare_exchange_strong(tail, node);
        return;
      }
    }
  }

  std::optional<int> dequeue() {
    while (true) {
      Node* head = head_;
      Node* tail = tail_;
      Node* next = head->next;
      if (next == nullptr) return std::nullopt;
      if (head == tail) {
        tail_.compare_exchange_strong(tail, next);
      } else if (head_.compare_exchange_strong(head, next)) {
        return next->value;
      }
    }
  }

 private:
  struct Node {
    explicit Node(int v) : value(v) {}
    const int value;
    std::atomic<Node*> next{nullptr};
  };

  Node first_{0};
  std::atomic<Node*> head_{&first_};
  std::atomic<Node*> tail_{&first_};
};

int main() {
  Queue queue;
  std::optional<int> early;
  std::thread producer([&] { queue.enqueue(1); });
  std::thread consumer([&] { early = queue.dequeue(); });
  producer.join();
  queue.enqueue(2);
  consumer.join();
  assert(!early || *early == 1);
  if (!early) assert(queue.dequeue() == 1);
  assert(queue.dequeue() == 2);
  assert(!queue.dequeue());
}
