// A list of listeners that is a linked list of atomic pointers: a listener that removes itself sets its own link to
// null, and the thread that walks through the list follows the link of a node that has none.
//
// norn: bug crash
#include <atomic>
#include <cassert>
#include <thread>

struct Listener {
  std::atomic<int> calls{0};
  std::atomic<Listener*> next{nullptr};
};

class Listeners {
 public:
  void add(Listener& listener) {
    listener.next = first_.load();
    first_ = &listener;
  }

  void remove_first() {
    Listener* first = first_;
    first_ = first->next.load();
    first->next = nullptr;
  }

  void call_all(int count) {
    Listener* listener = first_;
    for (int i = 0; i < count; ++i) {
      listener->calls++;
      listener = listener->next;
    }
  }

 private:
  std::atomic<Listener*> first_{nullptr};
};

int main() {
  Listener window, menu, clock;
  Listeners listeners;
  listeners.add(window);
  listeners.add(menu);
  listeners.add(clock);
  std::thread painter([&] { listeners.call_all(2); });
  listeners.remove_first();
  painter.join();
}
