// Treiber's lock-free stack with hazard pointers: a thread announces the node it is about to look into, and whoever
// pops that node frees it only when nobody has announced it.
//
// norn: pass
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

struct Node {
  int value;
  Node* next;
};

class Stack {
 public:
  static constexpr int threads = 2;

  ~Stack() {
    for (auto& list : retired_)
      for (Node* node : list) delete node;
    for (Node* node = top_; node != nullptr;) delete std::exchange(node, node->next);
  }

  void push(int value) {
    Node* node = new Node{value, top_};
    while (!top_.compare_exchange_strong(node->next, node)) {
    }
  }

  std::optional<int> pop(int me) {
    Node* top = announce(me);
    while (top != nullptr) {
      Node* expected = top;
      if (top_.compare_exchange_strong(expected, top->next)) break;
      top = announce(me);
    }
    hazards_[me] = nullptr;
    if (top == nullptr) return std::nullopt;
    const int value = top->value;
    retire(me, top);
    return value;
  }

 private:
  /// The top as it was when everybody could see that this thread looks at it.
  Node* announce(int me) {
    Node* top = top_;
    while (true) {
      hazards_[me] = top;
      Node* again = top_;
      if (again == top) return top;
      top = again;
    }
  }

  void retire(int me, Node* node) {
    retired_[me].push_back(node);
    std::erase_if(retired_[me], [&](Node* candidate) {
      for (const auto& hazard : hazards_)
        if (hazard == candidate) return false;
      delete candidate;
      return true;
    });
  }

  std::atomic<Node*> top_{nullptr};
  std::array<std::atomic<Node*>, threads> hazards_{};
  std::array<std::vector<Node*>, threads> retired_;
};

int main() {
  Stack stack;
  stack.push(1);
  stack.push(2);
  std::optional<int> mine, theirs;
  std::thread other([&] { theirs = stack.pop(1); });
  mine = stack.pop(0);
  other.join();
  assert(mine && theirs && *mine + *theirs == 3 && mine != theirs);
}
