#pragma once

#include "explore/path.hpp"
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

  [[nodiscard]] std::vector<Piece> pieces() const override;
  void take_over(std::span<const Piece> pieces) override;

  /// From now on, runs end where they would have more than so many events.
  void limit_events(std::size_t most) { most_events_ = most; }

 private:
  /// A step of the run at hand, and what else could have happened there.
  struct Node {
    std::uint32_t siblings;  ///< where its choices begin in siblings_
    std::uint32_t untried;
    std::uint32_t preemptions;  ///< before this step
    ThreadId last;              ///< that moved before, if leaving it here is a preemption; otherwise no_thread
    Branches done;              ///< its choices that are
  };
  /// What comes after a prefix, with one of these choices.
  struct Work {
    Prefix prefix;
    Prefix siblings;
    std::uint32_t preemptions = 0;
    ThreadId last = no_thread;

    template <typename Archive>
    void archive(Archive& parts) {
      parts(prefix, siblings, preemptions, last);
    }
  };

  bool begin_piece();
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
  Variety variety_;
  std::vector<Piece> waiting_;  ///< to be done after all this
};

}  // namespace norn
