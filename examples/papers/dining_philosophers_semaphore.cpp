// Dining philosophers with a semaphore for every stick: everybody takes the left one, then the right one, and eats,
// so many times. When all have their left one, they wait for ever.
//
// Arguments: philosophers (9), and perhaps the word `reversed`: the last philosopher takes the right stick first, and
// there is no deadlock; times (1). By default it has 510 behaviours and the deadlock; with n philosophers it is 2^n
// - 2.
//
// norn: bug deadlock
#include <norn/semaphore.hpp>

#include <cassert>
#include <cstddef>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "arguments.hpp"

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const auto philosophers = static_cast<std::size_t>(given.size("philosophers", 9, 2));
  const bool reversed = given.word("reversed");
  const int times = given.size("times", 1);
  given.end();

  std::deque<norn::counting_semaphore> sticks;
  for (std::size_t i = 0; i < philosophers; ++i) sticks.emplace_back(1);
  std::vector<int> meals(philosophers);  // with each stick; two at once would be a data race

  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < philosophers; ++i)
    threads.emplace_back([&, i] {
      std::size_t first = i;
      std::size_t second = (i + 1) % philosophers;
      if (reversed && i == philosophers - 1) std::swap(first, second);
      for (int left = times; left != 0; --left) {
        sticks[first].P();
        sticks[second].P();
        ++meals[first];
        ++meals[second];
        sticks[first].V();
        sticks[second].V();
      }
    });
  for (std::thread& thread : threads) thread.join();

  for (const int count : meals) assert(count == 2 * times);
}
