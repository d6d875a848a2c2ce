// One thread that writes a shared variable and threads that read it: each of them reads before or after it is written.
//
// Arguments: readers (3); or the word `pairs` and how many (3): as many variables, each with a writer and a reader. By
// default it has 8 behaviours; with n readers or n pairs it is 2^n.
//
// norn: pass
#include <norn/shared.hpp>

#include <cassert>
#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

#include "arguments.hpp"

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const bool pairs = given.word("pairs");
  const int count = given.size(pairs ? "pairs" : "readers", 3);
  given.end();

  const int readers = pairs ? 1 : count;
  std::deque<norn::shared<int>> variables(static_cast<std::size_t>(pairs ? count : 1));

  std::vector<std::thread> threads;
  for (norn::shared<int>& variable : variables) {
    threads.emplace_back([&] { variable = 1; });
    for (int reader = 0; reader < readers; ++reader)
      threads.emplace_back([&] {
        const int value = variable;
        assert(value == 0 || value == 1);
      });
  }
  for (std::thread& thread : threads) thread.join();

  for (const norn::shared<int>& variable : variables) assert(variable == 1);
}
