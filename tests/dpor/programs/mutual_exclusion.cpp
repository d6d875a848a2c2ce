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

/// Peterson's algorithm as it is written elsewhere: with a lock that is an object, in functions of its own.
struct PetersonsLock {
  std::atomic<bool> wants[2]{};
  std::atomic<int> victim = 0;

  void lock(int me) {
    wants[me].store(true);
    victim.store(me);
    while (wants[1 - me].load() && victim.load() == me) {
    }
  }
  void unlock(int me) { wants[me].store(false); }
};

void with_object(int rounds) {
  PetersonsLock lock;
  const auto work = [&](int me) {
    for (int i = 0; i < rounds; ++i) {
      lock.lock(me);
      lock.unlock(me);
    }
  };
  std::thread first([&] { work(0); });
  std::thread second([&] { work(1); });
  first.join();
  second.join();
}

/// And with threads that have copies of all they need.
void with_captures(int rounds) {
  static int inside;
  const auto start = [rounds](int me) {
    return std::thread([me, rounds] {
      for (int i = 0; i < rounds; ++i) {
        flag[me] = 1;
        turn = 1 - me;
        while (flag[1 - me] != 0 && turn == 1 - me) {
        }
        ++inside;
        flag[me] = 0;
      }
    });
  };
  std::thread first = start(0);
  std::thread second = start(1);
  first.join();
  second.join();
}

}  // namespace

/// Arguments: the algorithm, and how often each of the two threads goes through it.
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  if (std::strcmp(argv[1], "peterson_object") == 0) return with_object(std::atoi(argv[2])), 0;
  if (std::strcmp(argv[1], "peterson_captures") == 0) return with_captures(std::atoi(argv[2])), 0;
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
