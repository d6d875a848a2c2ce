// A lock-free stack whose nodes are pushed again by whoever popped them. Between a thread's look at the top and its
// compare-exchange, the other pops two nodes and pushes the first back: the top is the same, its successor is not, and
// the compare-exchange puts a node on the stack that somebody owns.
//
// norn: bug assertion
// norn expects: owner
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
  std::atomic<int> owners{0};
};

class Stack {
 public:
  void push(Node* node) {
    Node* top = top_.load();
    do {
      node->next = top;
    } while (!top_.compare_exchange_weak(top, node));
  }

  Node* pop() {
    Node* top = top_.load();
    while (top != nullptr && !top_.compare_exchange_weak(top, top->next.load())) {
    }
    return top;
  }

 private:
  std::atomic<Node*> top_{nullptr};
};

static Node* acquire(Stack& stack) {
  Node* node = stack.pop();
  if (node != nullptr) {
    const int owner = node->owners.fetch_add(1);
    assert(owner == 0);
  }
  return node;
}

static void release(Stack& stack, Node* node) {
  node->owners.fetch_sub(1);
  stack.push(node);
}

int main() {
  Node nodes[2];
  Stack stack;
  stack.push(&nodes[1]);
  stack.push(&nodes[0]);
  std::thread borrower([&] {
    Node* first = acquire(stack);
    acquire(stack);
    if (first != nullptr) release(stack, first);
  });
  acquire(stack);
  borrower.join();
  acquire(stack);
}
