// A sum split over two asynchronous tasks; an exception in a task comes out of its future.
//
// norn: pass
#include <cassert>
#include <future>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

int checked_sum(std::span<const int> values) {
  if (values.empty()) throw std::invalid_argument("nothing to sum");
  return std::accumulate(values.begin(), values.end(), 0);
}

int main() {
  const std::vector<int> values = {1, 2, 3, 4, 5, 6};
  auto lower = std::async(std::launch::async, [&] { return checked_sum(std::span(values).first(3)); });
  auto upper = std::async(std::launch::async, [&] { return checked_sum(std::span(values).last(3)); });
  assert(lower.get() + upper.get() == 21);

  auto none = std::async(std::launch::async, [] { return checked_sum({}); });
  bool thrown = false;
  try {
    none.get();
  } catch (const std::invalid_argument&) {
    thrown = true;
  }
  assert(thrown);
}
