// boost::lockfree::queue with one producer and one consumer: what is popped was pushed, in the order of the pushes.
//
// norn: pass
#include <boost/lockfree/queue.hpp>

#include <cassert>
#include <thread>

int main() {
  boost::lockfree::queue<int, boost::lockfree::capacity<4>> queue;
  std::thread producer([&] { assert(queue.push(1)); });
  int item = 0;
  const bool early = queue.pop(item);
  producer.join();
  assert(early || queue.pop(item));
  assert(item == 1);
  assert(queue.empty());
}
