// Whoever comes to the barrier last does what is to be done then, and it matters who that is.
//
// norn: bug assertion
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

thread_local int me = 0;
std::atomic<int> last{0};

struct Remember {
  void operator()() noexcept { last = me; }
};

int main() {
  std::barrier<Remember> all{2};
  std::thread other([&] {
    me = 1;
    all.arrive_and_wait();
  });
  me = 2;
  all.arrive_and_wait();
  other.join();
  assert(last == 1);
}
