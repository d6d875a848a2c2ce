// boost::circular_buffer behind a mutex and a condition variable: the last readings of a sensor, of which the oldest is
// dropped when a new one comes.
//
// norn: pass
#include <boost/circular_buffer.hpp>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Readings {
 public:
  explicit Readings(std::size_t kept) : latest_(kept) {}

  void add(int reading) {
    std::lock_guard lock(mutex_);
    latest_.push_back(reading);
    if (latest_.full()) full_.notify_all();
  }

  std::vector<int> wait_until_full() {
    std::unique_lock lock(mutex_);
    full_.wait(lock, [this] { return latest_.full(); });
    return {latest_.begin(), latest_.end()};
  }

 private:
  std::mutex mutex_;
  std::condition_variable full_;
  boost::circular_buffer<int> latest_;
};

int main() {
  Readings readings(2);
  std::thread sensor([&] {
    for (int reading = 1; reading <= 3; ++reading) readings.add(reading);
  });
  const std::vector<int> seen = readings.wait_until_full();
  assert(seen == std::vector({1, 2}) || seen == std::vector({2, 3}));
  sensor.join();
}
