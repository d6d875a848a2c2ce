#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/findings.hpp"
#include "explore/strategy.hpp"

namespace norn {

/// How far an exploration has come between two runs: enough to go on from there, in any process of the same program.
struct Standing {
  std::string strategy;                     ///< that is at work
  std::string remark;                       ///< that another one was wanted
  Findings findings;                        ///< so far
  std::vector<std::uint64_t> fingerprints;  ///< of the behaviours so far
  bool too_many = false;                    ///< of these to be counted
  std::vector<Piece> left;                  ///< to do
  double seconds = 0;                       ///< that it took

  template <typename Archive>
  void archive(Archive& parts) {
    parts(strategy, remark, findings, fingerprints, too_many, left, seconds);
  }
};

/// What a user who waits wants to know.
struct Progress {
  std::uint64_t executions = 0;
  std::uint64_t partial_runs = 0;
  std::int64_t behaviours = 0;  ///< -1: too many to count
  std::uint64_t bugs = 0;
  std::size_t frontier = 0;          ///< parts that are left to explore
  std::optional<Estimate> estimate;  ///< of the whole
  double seconds = 0;
};

/// What the whole comes to if this is left; nothing if the strategy does not say how much that is.
std::optional<Estimate> estimate(std::uint64_t executions, std::span<const Piece> left);

}  // namespace norn
