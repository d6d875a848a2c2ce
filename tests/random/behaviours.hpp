#pragma once

// The behaviours of one program, as a strategy of Norn shows them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "description.hpp"
#include "subject.hpp"

namespace random_programs {

/// How often a behaviour was seen, and with how few preemptions (if the strategy says).
struct Seen {
  unsigned count = 0;
  unsigned preemptions = UINT32_MAX;
};

/// By how the run ended and the number of its canonical form.
using Behaviours = std::map<std::string, Seen>;

struct Exploration {
  std::string error;
  bool complete = false;
  bool has_bugs = false;
  bool only_bounded = false;  ///< not complete, for no other reason than the bound on preemptions
  std::string reasons;
  Behaviours behaviours;
  Outcomes outcomes;
  std::uint64_t runs = 0;          ///< that count
  std::uint64_t partial_runs = 0;  ///< the others
  bool is_handed_over = false;     ///< to another strategy

  /// A strategy that knows that it is not made for a program says so.
  [[nodiscard]] bool is_unsuitable() const { return reasons.find("may miss behaviours") != std::string::npos; }
};

/// Runs norn; with a bound, at most so many preemptions. `worker` tells apart those that do this at the same time.
Exploration explore_behaviours(const EngineOptions& engine, const Program& program, const std::string& strategy,
                               unsigned worker, std::optional<unsigned> bound = {});

/// What is different, in words; nothing if `once` has every behaviour of `all` exactly once.
std::string difference(const Behaviours& all, const Behaviours& once);

}  // namespace random_programs
