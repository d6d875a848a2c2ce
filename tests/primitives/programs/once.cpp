// std::call_once and function-local statics.

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "cases.h"

std::once_flag flag;
std::atomic<int> calls;

template <typename Function>
void in_two_threads(Function function) {
  std::thread a(function, 'a');
  std::thread b(function, 'b');
  a.join();
  b.join();
}

void simple() {
  int done = 0;
  in_two_threads([&](char) { std::call_once(flag, [&] { ++done; }); });
  printf("%d\n", done);
}

/// Nobody gets past call_once before the function has returned, though it can be interrupted.
void visible_inside() {
  int early = 0;
  in_two_threads([&](char) {
    std::call_once(flag, [] {
      ++calls;
      ++calls;
    });
    early += calls != 2;
  });
  printf("%d early\n", early);
}

void throws_first() {
  int attempts = 0;
  char thrown = '-';
  in_two_threads([&](char name) {
    try {
      std::call_once(flag, [&] {
        if (++attempts == 1) throw std::runtime_error("first");
      });
    } catch (const std::runtime_error&) {
      thrown = name;
    }
  });
  printf("%d attempts, thrown in %c\n", attempts, thrown);
}

int constructed;

struct Object {
  Object() { ++constructed; }
};

void local_static() {
  in_two_threads([](char) { static Object object; });
  printf("%d\n", constructed);
}

struct Fragile {
  Fragile() {
    if (++constructed == 1) throw std::runtime_error("first");
  }
};

void static_throws() {
  char thrown = '-';
  in_two_threads([&](char name) {
    try {
      static Fragile object;
    } catch (const std::runtime_error&) {
      thrown = name;
    }
  });
  printf("%d attempts, thrown in %c\n", constructed, thrown);
}

/// The constructor can be interrupted; whoever comes waits for it.
struct Slow {
  Slow() {
    ++calls;
    value = 1;
  }
  int value = 0;
};

void static_waits() {
  int sum = 0;
  in_two_threads([&](char) {
    static Slow object;
    sum += object.value;
  });
  printf("%d\n", sum);
}

CASES_MAIN({"simple", simple}, {"visible_inside", visible_inside}, {"throws_first", throws_first},
           {"local_static", local_static}, {"static_throws", static_throws}, {"static_waits", static_waits})
