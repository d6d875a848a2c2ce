#pragma once

// The reference: every outcome a random program can have, found by visiting every state of the abstract machine once.

#include <cstddef>
#include <set>
#include <string>

#include "description.hpp"
#include "machine.hpp"

namespace random_programs {

inline const std::string deadlock_outcome = "deadlock";
inline const std::string assertion_outcome = "assertion";

/// The lines runs can print, and "deadlock" and "assertion" where runs can end so.
using Outcomes = std::set<std::string>;

struct Reference {
  Outcomes outcomes;
  std::size_t states = 0;
  double interleavings = 0;  // ways through the state graph: what exploring without any reduction would run
  bool complete = true;      // false: given up at the limit
};

inline constexpr std::size_t default_state_limit = 200'000;

Reference explore(const Program& program, Fault fault = Fault::None, std::size_t state_limit = default_state_limit);

}  // namespace random_programs
