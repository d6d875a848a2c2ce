// tbb::concurrent_vector, to which two threads append while its first element is looked at.
//
// norn: pass
// norn links: tbb
#include <tbb/concurrent_vector.h>

#include <cassert>
#include <memory>
#include <thread>

int main() {
  tbb::concurrent_vector<int, std::allocator<int>> primes(1, 2);
  primes.reserve(4);
  std::thread other([&] { primes.push_back(3); });
  const auto mine = primes.push_back(5);
  assert(*mine == 5 && primes.front() == 2);
  other.join();
  assert(primes.size() == 3);
  assert(primes[1] + primes[2] == 8);
}
