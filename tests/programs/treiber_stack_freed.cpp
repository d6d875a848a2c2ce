// Treiber's lock-free stack that frees a node as soon as it is popped, while another thread is about to read where the
// node points to.
//
// norn: bug memory data-race
#include <atomic>
#include <optional>
#include <thread>

class Stack {
 public:
  ~Stack() {
    while (pop()) {
    }
  }

  void push(int value) {
    Node* node = new Node{value, {}};
    Node* top = top_;
    do {
      node->next = top;
    } while (!top_.compare_exchange_strong(top, node));
  }

  std::optional<int> pop() {
    Node* top = top_;
    while (top != nullptr && !top_.compare_exchange_strong(top, top->next)) {
    }
    if (top == nullptr) return std::nullopt;
    const int value = top->value;
    delete top;
    return value;
  }

 private:
  struct Node {
    int value;
    std::atomic<Node*> next;
  };
  std::atomic<Node*> top_{nullptr};
};

int main() {
  Stack stack;
  stack.push(1);
  stack.push(2);
  std::thread other([&] { stack.pop(); });
  stack.pop();
  other.join();
}
