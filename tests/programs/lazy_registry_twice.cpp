// Lazy initialisation with a pointer that is atomic and a decision that is not: two threads that find no registry yet
// both make one, and what was registered in the first is gone.
//
// norn: bug assertion
// norn expects: constructed == 1
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> constructed{0};

struct Registry {
  Registry() { ++constructed; }
  std::atomic<int> entries{0};
};

class LazyRegistry {
 public:
  ~LazyRegistry() { delete instance_.load(); }

  Registry& get() {
    if (instance_.load() == nullptr) instance_.store(new Registry);
    return *instance_.load();
  }

 private:
  std::atomic<Registry*> instance_{nullptr};
};

int main() {
  LazyRegistry lazy;
  std::thread first([&] { lazy.get().entries++; });
  std::thread second([&] { lazy.get().entries++; });
  first.join();
  second.join();
  assert(constructed == 1);
  assert(lazy.get().entries == 2);
}
