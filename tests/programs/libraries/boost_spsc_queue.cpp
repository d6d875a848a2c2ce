// boost::lockfree::spsc_queue, the ring buffer for one producer and one consumer, with room for two.
//
// norn: pass
#include <boost/lockfree/spsc_queue.hpp>

#include <cassert>
#include <thread>

int main() {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
  int pushed = 0;
  std::thread producer([&] {
    for (int item = 1; item <= 3; ++item) pushed += queue.push(item);
  });
  int popped = 0, item = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (queue.pop(item)) assert(item == ++popped);
  }
  producer.join();
  while (queue.pop(item)) ++popped;
  assert(popped == pushed && pushed >= 2);
}
