// A table of results with room for two and three threads that want to write: each asks whether there is room and then
// takes a slot, and the last slot can be taken twice.
//
// norn: bug memory
#include <atomic>
#include <memory>
#include <thread>

class Results {
 public:
  explicit Results(int capacity) : capacity_(capacity), values_(new std::atomic<long>[capacity]()) {}

  bool add(long value) {
    if (used_.load() >= capacity_) return false;
    values_[used_.fetch_add(1)] = value;
    return true;
  }

 private:
  const int capacity_;
  std::atomic<int> used_{0};
  std::unique_ptr<std::atomic<long>[]> values_;
};

int main() {
  Results results(2);
  std::thread first([&] { results.add(1); });
  std::thread second([&] { results.add(2); });
  results.add(3);
  first.join();
  second.join();
}
