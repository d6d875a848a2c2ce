// Structures that are passed and returned by value, from and to memory that other threads use: under a lock, from
// copies, with members that throw, and types without members, which are never read.
//
// norn: pass
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

std::mutex mutex;
State state;

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

void work() {
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
