// Two threads that hand a binary semaphore to each other: it never has more than one.
//
// norn: pass
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
  std::binary_semaphore ping(1);
  std::binary_semaphore pong(0);
  int turns = 0;
  const auto play = [&turns](std::binary_semaphore& mine, std::binary_semaphore& yours) {
    for (int round = 0; round < 2; ++round) {
      mine.acquire();
      ++turns;
      yours.release();
    }
  };
  std::thread other([&] { play(pong, ping); });
  play(ping, pong);
  other.join();
  assert(turns == 4);
}
