// Results that two threads push into the same vector.
//
// norn: bug data-race
#include <thread>
#include <vector>

static std::vector<int> divisors(int n, int from, int to) {
  std::vector<int> found;
  for (int i = from; i < to; ++i)
    if (n % i == 0) found.push_back(i);
  return found;
}

int main() {
  std::vector<int> all;
  all.reserve(8);
  auto search = [&](int from, int to) {
    for (int divisor : divisors(30, from, to)) all.push_back(divisor);
  };
  std::thread lower(search, 1, 6);
  std::thread upper(search, 6, 31);
  lower.join();
  upper.join();
  return all.empty();
}
