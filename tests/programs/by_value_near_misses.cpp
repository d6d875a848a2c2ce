// Structures that are passed and returned by value, from and to memory that other threads use: under a lock, from
// copies, from calls that throw, bases with something else in their padding, and types without members.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

struct Range {
  long begin;
  long end;
};

struct Matrix {
  int cells[9];
};

struct Tag {};

struct State {
  [[no_unique_address]] Tag tag;
  std::less<> smaller;
  Range range{0, 1};
  Matrix matrix{};
};

/// Whoever derives from it may have something in the padding at its end.
class Header {
 public:
  [[nodiscard]] int number() const { return number_ + kind_; }

 private:
  int number_ = 1;
  char kind_ = 2;
};

struct Message : Header {
  std::atomic<bool> sent{false};
};

std::mutex mutex;
State state;
Message message;

[[gnu::noinline]] Range grown(Range range) { return {range.begin, range.end + 1}; }
[[gnu::noinline]] Matrix filled(Matrix matrix, int with) {
  for (int& cell : matrix.cells) cell += with;
  return matrix;
}
[[gnu::noinline]] Range checked(Range range, long limit) {
  if (range.end > limit) throw std::out_of_range("range");
  return range;
}
[[gnu::noinline]] bool compare(Tag, std::less<> smaller, long a, long b) { return smaller(a, b); }

[[gnu::noinline]] int number_of(Header header) { return header.number(); }

void use_padding() {
// Clang reads the padding as well.
#ifndef __clang__
  message.sent = true;
  assert(number_of(message) == 3);
#endif
}

void work() {
  use_padding();
  // Neither is in memory that anybody reads or writes.
  assert(compare(state.tag, state.smaller, 1, 2));
  const std::lock_guard lock(mutex);
  state.range = grown(state.range);
  state.matrix = filled(filled(state.matrix, 1), 2);
  try {
    state.range = checked(state.range, 2);
  } catch (const std::out_of_range&) {
    state.range = {0, 3};
  }
}

int main() {
  std::thread other(work);
  work();
  other.join();
  const auto [tag, smaller, range, matrix] = std::move(state);
  assert(range.begin == 0 && range.end == 3 && matrix.cells[8] == 6);
}
