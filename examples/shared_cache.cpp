// A cache behind a reader-writer lock that looks under the shared lock and stores under the exclusive one, without
// looking again: two threads that both miss compute the value twice.
//
// norn: bug assertion
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

class SquareCache {
 public:
  int square(int n) {
    {
      std::shared_lock lock(mutex_);
      if (auto found = squares_.find(n); found != squares_.end()) return found->second;
    }
    std::unique_lock lock(mutex_);
    ++computed_;
    return squares_[n] = n * n;  // looking again before computing would do it right
  }

  int computed() {
    std::shared_lock lock(mutex_);
    return computed_;
  }

 private:
  std::shared_mutex mutex_;
  std::map<int, int> squares_;
  int computed_ = 0;
};

int main() {
  SquareCache cache;
  std::thread other([&] { assert(cache.square(7) == 49); });
  assert(cache.square(7) == 49);
  other.join();
  assert(cache.computed() == 1);
}
