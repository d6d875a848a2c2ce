#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "explore/coverage/action.hpp"
#include "explore/coverage/requirements.hpp"

namespace norn::coverage {

/// For rule 2: which of the actions that threads are about to do can follow which, so that a requirement gets covered.
/// What a thread is about to do changes only when it moves. So its action is compared with those of all others then,
/// and a decision need not compare all with all.
class Followers {
 public:
  void begin_run() { known_.clear(); }

  void update(std::span<const Action> enabled, const Requirements& requirements) {
    enabled_.assign(enabled_.size(), 0);
    for (const Action& action : enabled) {
      if (action.thread >= known_.size()) grow(action.thread + std::size_t{1});
      enabled_[action.thread / bits] |= bit(action.thread);
      if (!(known_[action.thread] == action)) compare(action, requirements);
    }
  }

  /// Whether one of the actions enabled at the last update can follow that of `thread`. During a run, requirements
  /// become covered and never uncovered.
  bool any_after(ThreadId thread, const Requirements& requirements) {
    for (std::size_t word = 0; word < enabled_.size(); ++word) {
      std::uint64_t& after = after_[thread][word];
      for (std::uint64_t left = after & enabled_[word]; left != 0; left &= left - 1) {
        const std::size_t other = word * bits + static_cast<std::size_t>(std::countr_zero(left));
        if (requirements.is_uncovered({known_[thread].location, known_[other].location})) return true;
        after &= ~bit(other);
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t bits = 64;
  static std::uint64_t bit(std::size_t thread) { return std::uint64_t{1} << thread % bits; }

  /// Sets or clears the bit that says that the action of `second` can follow that of `first`.
  void note(const Action& first, const Action& second, const Requirements& requirements) {
    std::uint64_t& word = after_[first.thread][second.thread / bits];
    word &= ~bit(second.thread);
    if (first.object == second.object && requirements.is_uncovered({first.location, second.location}))
      word |= bit(second.thread);
  }

  void compare(const Action& action, const Requirements& requirements) {
    known_[action.thread] = action;
    for (const Action& other : known_) {
      if (other.thread == action.thread || other.thread == no_thread) continue;
      note(action, other, requirements);
      note(other, action, requirements);
    }
  }

  void grow(std::size_t threads) {
    known_.resize(threads, Action{no_thread, false, nullptr, 0});
    const std::size_t words = (threads + bits - 1) / bits;
    if (enabled_.size() < words) enabled_.resize(words);
    if (after_.size() < threads) after_.resize(threads);
    for (std::vector<std::uint64_t>& row : after_) row.resize(enabled_.size());
  }

  std::vector<Action> known_;  ///< by thread: what it was about to do when that was last looked at
  std::vector<std::uint64_t> enabled_;
  std::vector<std::vector<std::uint64_t>> after_;  ///< by thread: a bit for every other that can follow
};

}  // namespace norn::coverage
