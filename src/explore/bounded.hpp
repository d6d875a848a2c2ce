#pragma once

#include "explore/depth_first.hpp"
#include "explore/strategy.hpp"

namespace norn {

/// Every interleaving with at most so many preemptions, each once, depth first.
class BoundedSearch final : public Strategy {
 public:
  explicit BoundedSearch(unsigned bound) : bound_(bound) {}

  bool next(Prefix& prefix) override;
  std::size_t choose(const FreeChoice& at) override;
  void learn(const Trace& trace) override;

  /// True as long as the bound has not kept it from anything.
  [[nodiscard]] bool exhausts() const override { return !pruned_; }

  [[nodiscard]] std::vector<Piece> pieces() const override { return search_.pieces(); }
  void take_over(std::span<const Piece> pieces) override { search_.take_over(pieces); }

  /// From now on, runs end where they would have more than so many events.
  void limit_events(std::size_t most) { most_events_ = most; }

 private:
  void add(Choice chosen, ThreadId last, std::span<const Choice> enabled);

  unsigned bound_;
  std::size_t most_events_ = SIZE_MAX;
  bool pruned_ = false;
  std::uint32_t preemptions_ = 0;  ///< in the prefix
  DepthFirst search_;
};

}  // namespace norn
