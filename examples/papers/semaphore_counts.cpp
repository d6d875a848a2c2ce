// Threads that each do one V or one P on a semaphore that is 0: every order in which these can be done is a behaviour.
// With a counting semaphore there are never more P than V, with a binary one V and P alternate.
//
// Arguments: V, and as many P (3), then the word `counting` or `binary` (counting). By default it has 180 behaviours;
// with 1, 2 and 3 it is 1, 8 and 180 for a counting semaphore, 1, 4 and 36 for a binary one.
//
// norn: pass
#include <norn/semaphore.hpp>

#include <thread>
#include <vector>

#include "arguments.hpp"

template <typename Semaphore>
void use(int count) {
  Semaphore semaphore(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] { semaphore.V(); });
    threads.emplace_back([&] { semaphore.P(); });
  }
  for (std::thread& thread : threads) thread.join();
}

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const int count = given.size("V and of P", 3);
  const bool binary = given.word("binary");
  if (!binary) given.word("counting");
  given.end();

  if (binary) {
    use<norn::binary_semaphore>(count);
  } else {
    use<norn::counting_semaphore>(count);
  }
}
