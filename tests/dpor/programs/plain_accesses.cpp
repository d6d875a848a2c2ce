// Plain accesses and atomic operations on the same memory.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

volatile unsigned next_place;
volatile unsigned last_place;

/// Takes the place that it saw free, if it is still free.
void take_place() {
  unsigned mine = next_place;
  if (!__atomic_compare_exchange_n(&next_place, &mine, mine + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  last_place = mine;
}

/// Puts the places back to where they were, if one has been taken.
void give_back() {
  unsigned one = 1;
  __atomic_compare_exchange_n(&next_place, &one, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void places(int threads) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(take_place);
  give_back();
  for (std::thread& one : all) one.join();
}

struct Request {
  int answer = 0;
  std::atomic<bool> answered = false;
};

std::atomic<Request*> requested;
std::atomic<int> busy;

void serve() {
  Request* request = requested.load();
  if (request == nullptr) return;
  request->answer = 42;
  busy.store(1);
  request->answered.store(true);
}

/// What it waits for, and the answer, are on the stack of the one who waits.
void ask() {
  Request request;
  requested.store(&request);
  std::thread server(serve);
  while (!request.answered.load())
    if (busy.load() > 1) break;
  server.join();
  if (request.answer != 42) std::abort();
}

volatile union {
  std::uint32_t whole;
  std::uint16_t half[2];
} word;

/// Plain accesses to a part of what is changed at once.
void part() {
  std::thread other([] { __atomic_fetch_add(&word.whole, 1, __ATOMIC_SEQ_CST); });
  word.half[1] = 1;
  other.join();
}

/// And the other way round.
void whole() {
  std::thread other([] { __atomic_fetch_add(&word.half[1], 1, __ATOMIC_SEQ_CST); });
  word.whole = 1;
  other.join();
}

std::atomic<bool> done;

/// Whoever comes late reads what has been freed. Nothing is known of the order but the flag.
void freed() {
  int* const number = new int(1);
  std::thread other([number] {
    done = true;
    delete number;
  });
  if (!done && *number != 1) std::abort();
  other.join();
}

std::atomic<int> owner;
volatile int owned;

/// A lock that is none: both may find it free.
void lock_badly() {
  const auto work = [] {
    for (int i = 0; i < 2; ++i) {
      if (owner != 0) continue;
      owner = 1;
      owned = 1;
      static_cast<void>(owned);
      owner = 0;
    }
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "places") places(std::atoi(words[2]));
  if (what == "request") ask();
  if (what == "part") part();
  if (what == "whole") whole();
  if (what == "freed") freed();
  if (what == "bad_lock") lock_badly();
}
