#include "queue.hpp"

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>

int main(int argc, char** argv) {
  const int items = argc == 3 && std::strcmp(argv[1], "--items") == 0 ? std::atoi(argv[2]) : 1;
  Queue queue;
  const auto take = [&] {
    for (int i = 0; i < items; ++i) assert(queue.pop() == 7);
  };
  std::thread first(take);
  std::thread second(take);
  for (int i = 0; i < 2 * items; ++i) queue.push(7);
  first.join();
  second.join();
}
