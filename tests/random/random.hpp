#pragma once

#include <cstdint>

namespace random_programs {

/// splitmix64: the distributions of the standard library differ between implementations, this does not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  unsigned below(unsigned limit) { return static_cast<unsigned>(next() % limit); }
  unsigned between(unsigned lowest, unsigned highest) { return lowest + below(highest - lowest + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace random_programs
