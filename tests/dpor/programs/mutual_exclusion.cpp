// Algorithms for two threads that wait in loops. The threads share their code, but look at each other's variables.

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

std::atomic<int> flag[2];
std::atomic<int> number[2];
std::atomic<int> turn;

void peterson(int me, int&) {
  flag[me] = 1;
  turn = 1 - me;
  while (flag[1 - me] == 1 && turn == 1 - me) {
  }
  flag[me] = 0;
}

/// Peterson's algorithm; a thread knows whose turn it was when it last looked, so that to look once in vain makes a
/// difference.
void remembering_peterson(int me, int& last) {
  flag[me] = 1;
  turn = 1 - me;
  while (flag[1 - me] == 1 && (last = turn) == 1 - me) {
  }
  flag[me] = 0;
}

void dekker(int me, int&) {
  flag[me] = 1;
  while (flag[1 - me] == 1) {
    if (turn == me) continue;
    flag[me] = 0;
    while (turn != me) {
    }
    flag[me] = 1;
  }
  turn = 1 - me;
  flag[me] = 0;
}

void szymanski(int me, int&) {
  const int other = 1 - me;
  flag[me] = 1;
  while (flag[other] >= 3) {
  }
  flag[me] = 3;
  if (flag[other] == 1) {
    flag[me] = 2;
    while (flag[other] != 4) {
    }
  }
  flag[me] = 4;
  if (me == 1)
    while (flag[0] >= 2) {
    }
  if (me == 0)
    for (int seen = flag[1]; seen == 2 || seen == 3; seen = flag[1]) {
    }
  flag[me] = 0;
}

/// Lamport's bakery.
void bakery(int me, int&) {
  const int other = 1 - me;
  flag[me] = 1;
  const int mine = number[other] + 1;
  number[me] = mine;
  flag[me] = 0;
  while (flag[other] == 1) {
  }
  for (int theirs = number[other]; theirs != 0 && (theirs < mine || (theirs == mine && other < me));)
    theirs = number[other];
  number[me] = 0;
}

/// A spin lock that knows whether it had to wait.
void counting_lock(int, int&) {
  bool waited = false;
  while (flag[0].exchange(1) == 1) waited = true;
  if (waited) ++turn;
  flag[0] = 0;
}

struct Algorithm {
  const char* name;
  void (*round)(int me, int& last);
};

constexpr Algorithm algorithms[] = {{"peterson", peterson}, {"remembering_peterson", remembering_peterson},
                                    {"dekker", dekker},     {"szymanski", szymanski},
                                    {"bakery", bakery},     {"counting_lock", counting_lock}};

}  // namespace

/// Arguments: the algorithm, and how often each of the two threads goes through it.
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  for (const Algorithm& algorithm : algorithms) {
    if (std::strcmp(argv[1], algorithm.name) != 0) continue;
    const auto body = [&algorithm](int me, int rounds) {
      int last = 0;
      for (int i = 0; i < rounds; ++i) algorithm.round(me, last);
    };
    std::thread first(body, 0, std::atoi(argv[2]));
    std::thread second(body, 1, std::atoi(argv[3]));
    first.join();
    second.join();
    return 0;
  }
  return 2;
}
