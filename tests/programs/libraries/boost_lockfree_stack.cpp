// boost::lockfree::stack with a thread that pushes and one that pops.
//
// norn: pass
#include <boost/lockfree/stack.hpp>

#include <cassert>
#include <thread>

int main() {
  boost::lockfree::stack<int, boost::lockfree::capacity<4>> stack;
  stack.push(1);
  std::thread other([&] { assert(stack.push(2)); });
  int top = 0;
  assert(stack.pop(top));
  other.join();
  int rest = 0;
  assert(stack.pop(rest));
  assert(top + rest == 3 && top != rest);
  assert(stack.empty());
}
