#pragma once

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

  /// From now on, runs end where they would have more than so many events.
  void limit_events(std::size_t most) { most_events_ = most; }

 private:
  /// A step of the run at hand, and what else could have happened there.
  struct Node {
    std::uint32_t siblings;  ///< where its choices begin in siblings_
    std::uint32_t untried;
    std::uint32_t preemptions;  ///< before this step
    ThreadId last;              ///< that moved before, if leaving it here is a preemption; otherwise no_thread
  };

  void drop_last();
  void take_next_sibling();
  void add(Choice chosen, ThreadId last, std::span<const Choice> enabled);

  unsigned bound_;
  std::size_t most_events_ = SIZE_MAX;
  bool started_ = false;
  bool pruned_ = false;
  std::uint32_t preemptions_ = 0;  ///< in prefix_
  std::vector<Node> path_;
  Prefix prefix_;
  std::vector<Choice> siblings_;
};

}  // namespace norn
