#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/strategy.hpp"

namespace norn {

class Runner;

/// Whether the program does the same again when it is scheduled the same. If not, it depends on something that is not
/// under control (a time stamp counter, a hardware random number, what an earlier run left in a file), and behaviours
/// that were seen once are not all there are.
class Repetition {
 public:
  /// The first run that comes to its end is the one that is repeated, so that between it and its repetition there is
  /// all that other runs may have left behind.
  void remember(const Trace& trace);
  /// Does it again. Empty if it was the same; otherwise how it differed, in one sentence.
  [[nodiscard]] std::string find_difference(Runner& runner);

 private:
  [[nodiscard]] std::string compare(const Trace& trace) const;

  Prefix schedule_;
  std::vector<std::uint64_t> events_;  ///< a hash of each
  End end_ = End::interrupted;         ///< as long as there was no run
};

}  // namespace norn
