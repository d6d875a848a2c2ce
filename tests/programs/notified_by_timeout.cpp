// Two threads wait for the same time, and the one that gives up tells the other, which takes it that its time must have
// run out as well. If it began to wait much later, it has not.
//
// norn: bug assertion
#undef NDEBUG
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;

static std::cv_status wait_a_little() {
  std::unique_lock lock(mutex);
  return condition.wait_for(lock, std::chrono::milliseconds(1));
}

int main() {
  std::thread patient([] {
    const std::cv_status status = wait_a_little();
    assert(status == std::cv_status::timeout);
  });
  std::thread other([] {
    if (wait_a_little() == std::cv_status::timeout) condition.notify_all();
  });
  patient.join();
  other.join();
}
