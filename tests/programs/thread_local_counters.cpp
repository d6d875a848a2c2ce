// Counters that every thread keeps for itself and adds to the total when it ends.
//
// norn: pass
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

class Total {
 public:
  void add(long count) {
    std::lock_guard lock(mutex_);
    sum_ += count;
    ++threads_;
  }
  long sum() {
    std::lock_guard lock(mutex_);
    return sum_;
  }
  int threads() {
    std::lock_guard lock(mutex_);
    return threads_;
  }

 private:
  std::mutex mutex_;
  long sum_ = 0;
  int threads_ = 0;
};

static Total total;

struct LocalCounter {
  ~LocalCounter() { total.add(count); }
  long count = 0;
};

static thread_local LocalCounter counter;

static void count_words(const char* text) {
  for (; *text != '\0'; ++text) counter.count += *text == ' ';
  ++counter.count;
}

int main() {
  std::vector<std::thread> threads;
  for (const char* text : {"to be or", "not to be", "that is"}) threads.emplace_back(count_words, text);
  for (auto& thread : threads) thread.join();
  assert(total.threads() == 3);
  assert(total.sum() == 8);
}
