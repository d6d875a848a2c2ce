// What is sent is counted after what was received, so that for a moment more has been received than sent. The counters
// are different objects; only the property looks at both.
//
// norn: bug property
#include <norn/property.hpp>

#include <atomic>
#include <thread>

std::atomic<int> sent;
std::atomic<int> received;

int main() {
  norn::always([] { return received <= sent; }, "nothing is received that was not sent");
  std::thread sender([] { ++sent; });
  std::thread receiver([] { ++received; });
  sender.join();
  receiver.join();
}
