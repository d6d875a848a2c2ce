#pragma once

// How much a search has left to do, by heterogeneous sampling (P. C. Chen, "Heterogeneous sampling: a method for
// predicting the performance of tree searching programs", SIAM Journal on Computing 21(2), 1992; D. E. Knuth's way of
// estimating the size of a tree is the case in which a stratum is a level of the tree).
//
// Whatever is left is put into strata: branches that are likely to be of the same size. From the highest stratum to the
// lowest, one branch of each is looked at, and stands for all of them; what there is below it belongs to lower strata.
// A branch is drawn with a probability that is proportional to what it stands for, so the size that comes out is right
// on average, whatever the strata are; how well they were chosen shows in how much one probe differs from another. What
// is looked at is a part of the search, which just comes earlier than it would otherwise.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "explore/estimate.hpp"
#include "support/random.hpp"

namespace norn {

class Survey {
 public:
  using Stratum = std::int32_t;
  /// A branch that has not been explored: one of those at some point of the search.
  struct Branch {
    std::size_t point;
    std::size_t index;
  };

  explicit Survey(std::uint64_t seed) : chance_(seed) {}

  /// Whether a probe is worth its while after so many runs, of which this survey has seen all.
  [[nodiscard]] bool is_due(std::uint64_t runs) const { return !is_on_ && runs >= due_; }
  /// There is no room for it now.
  void put_off(std::uint64_t runs) { due_ = runs + 1 + runs / 16; }
  [[nodiscard]] bool has_seen_nothing() const { return tables_.empty(); }
  /// A probe begins: all that is left is offered to it.
  void begin();
  /// It goes on until everything that was offered has been looked at, or stood for.
  [[nodiscard]] bool is_on() const { return is_on_; }
  void offer(Stratum stratum, Branch branch);
  /// What is to be looked at now. If there is nothing, the probe is over.
  std::optional<Branch> next(std::uint64_t runs);
  /// Whether what `next` said has not been looked at yet.
  [[nodiscard]] bool is_waiting() const { return is_waiting_; }
  /// It has: whether it is a run that counts. What there is below it is offered afterwards.
  void looked(bool counts);
  /// The last branch of a point took the place of another one.
  void moved(std::size_t point, std::size_t from, std::size_t to);
  /// What was offered is here no longer.
  void abandon();

  /// What several parts come to of which the strata are known, as far as can be foreseen; nothing before the first
  /// probes.
  [[nodiscard]] std::optional<std::vector<Size>> sizes(std::span<const std::vector<Stratum>> parts) const;

 private:
  struct Candidate {
    double weight = 0;  ///< how many branches it stands for
    Branch branch{};
  };
  struct Look {
    Stratum stratum;
    double weight;
    bool counts;
    std::vector<Stratum> below;
  };
  /// The sizes of branches according to one probe.
  using Table = std::map<Stratum, double>;

  void end(std::uint64_t runs);
  [[nodiscard]] static double size_in(const Table& table, Stratum stratum);

  SplitMix64 chance_;
  std::uint64_t due_ = 64;
  bool is_on_ = false;
  bool is_waiting_ = false;
  std::map<Stratum, Candidate> pool_;
  std::vector<Look> looks_;
  std::vector<Table> tables_;  ///< of the last probes
  std::size_t oldest_ = 0;     ///< among these
};

}  // namespace norn
