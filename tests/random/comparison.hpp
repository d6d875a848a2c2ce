#pragma once

// Two strategies on the same random programs, behaviour by behaviour: the one under test must show every behaviour that
// the exhaustive one shows, and each exactly once. What the exhaustive one shows must be what the reference finds.

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "behaviours.hpp"
#include "campaign.hpp"
#include "subject.hpp"

namespace random_programs {

/// What is compared, and with what.
struct ComparisonOptions {
  std::string strategy;
  unsigned bounds = 0;         ///< also with 0, 1, ... preemptions, so many bounds
  std::string extra;           ///< options of norn for the strategy that is compared, not for the exhaustive one
  bool must_disagree = false;  ///< the strategy is known to be wrong: that has to be noticed
};

/// With a bound on preemptions.
class BoundedComparison {
 public:
  struct Subject {
    const EngineOptions& engine;
    const Program& program;
    unsigned worker;
    const Exploration& all;   ///< what the exhaustive strategy showed without a bound
    const Exploration& once;  ///< what the other one showed
    unsigned bound;
  };

  explicit BoundedComparison(std::string strategy) : strategy_(std::move(strategy)) {}

  /// What is different, in words. `other_operations`: a run did what no run did without the bound, which is so if what
  /// makes operations visible is beyond it.
  std::string compare(const Subject& subject, bool& other_operations);

  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  /// How often the strategy said that it is not made for a program with a bound.
  [[nodiscard]] std::uint64_t unsuitable() const { return unsuitable_; }

 private:
  static std::string verdict(const Exploration& some, const Exploration& all, const Behaviours& expected);
  std::string compare_reduced(const Subject& subject, const Behaviours& expected, bool& other_operations);

  std::string strategy_;
  std::atomic<std::uint64_t> runs_ = 0;
  std::atomic<std::uint64_t> unsuitable_ = 0;
};

/// Compares all programs, prints what disagrees (shrunk) and a summary; whether everything agrees and enough was
/// compared.
bool run_comparison(const EngineOptions& engine, const ComparisonOptions& what, const CampaignOptions& options);

/// Compares one program and says what is different; whether they agree.
bool compare_one(const EngineOptions& engine, const ComparisonOptions& what, const Program& program);

}  // namespace random_programs
