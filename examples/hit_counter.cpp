// A page counter that is atomic but not updated atomically: a load and a store with another thread's store in between
// lose a hit.
//
// norn: bug assertion
#include <atomic>
#include <cassert>
#include <thread>

class HitCounter {
 public:
  void hit() { hits_ = hits_ + 1; }  // ++hits_ would do it right
  int hits() const { return hits_; }

 private:
  std::atomic<int> hits_{0};
};

int main() {
  HitCounter counter;
  auto visit_twice = [&] {
    counter.hit();
    counter.hit();
  };
  std::thread visitor1(visit_twice);
  std::thread visitor2(visit_twice);
  visitor1.join();
  visitor2.join();
  assert(counter.hits() == 4);
}
