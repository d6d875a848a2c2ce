#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explore/path.hpp"
#include "explore/strategy.hpp"

namespace norn {

/// A depth-first search over choices: the run at hand, step by step, and what is left to try at each of them.
class DepthFirst {
 public:
  /// The prefix of the next run, which differs from the one before in its last choice, or begins a piece of work that
  /// was taken over; false when there is nothing left. Steps beyond so many are not gone back to.
  bool next(Prefix& prefix, std::size_t longest = SIZE_MAX);
  /// Something else that could happen at the step that is added next. Those that are left last are tried first.
  void leave(Choice sibling) {
    siblings_.push_back(sibling);
    ++left_;
  }
  /// With so many preemptions before it. `last` moved before, if leaving it here is a preemption.
  void add(Choice chosen, std::uint32_t preemptions = 0, ThreadId last = no_thread) {
    prefix_.push_back(chosen);
    steps_.push_back({std::exchange(left_, 0), preemptions, last, {}});
  }
  /// The run is over.
  void end_run() {
    if (!steps_.empty()) steps_.back().done.add(1);
  }
  /// In the prefix of the run at hand.
  [[nodiscard]] std::uint32_t preemptions() const;

  [[nodiscard]] std::vector<Piece> pieces() const;
  void take_over(std::span<const Piece> pieces);
  [[nodiscard]] bool is_from_start() const { return !took_over_; }

 private:
  struct Step {
    std::uint32_t untried;  ///< of the choices in siblings_
    std::uint32_t preemptions;
    ThreadId last;
    Branches done;  ///< its choices that are
  };
  /// What has not been tried after so many steps.
  struct Left {
    std::uint32_t steps;
    Prefix siblings;
    std::uint32_t preemptions;
    ThreadId last;

    template <typename Archive>
    void archive(Archive& parts) {
      parts(steps, siblings, preemptions, last);
    }
  };
  struct Work {
    Prefix prefix;
    std::vector<Left> left;

    template <typename Archive>
    void archive(Archive& parts) {
      parts(prefix, left);
    }
  };

  static Piece halve(Work& work, Size& size);
  bool begin_piece();
  void drop_last();
  void take_next_sibling();

  bool started_ = false;
  bool took_over_ = false;
  std::uint32_t left_ = 0;
  std::vector<Step> steps_;
  Prefix prefix_;
  Prefix siblings_;  ///< of all steps
  Variety variety_;
  std::vector<Piece> waiting_;  ///< to be done after all this
};

}  // namespace norn
