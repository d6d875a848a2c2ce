#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "explore/coverage/action.hpp"
#include "explore/coverage/followers.hpp"
#include "explore/coverage/last_actions.hpp"
#include "explore/coverage/requirements.hpp"
#include "support/random.hpp"

namespace norn::coverage {

/// How a run departs from the rules, when they have covered nothing new for some time. All of it fills in what the
/// paper leaves open, or leaves rules 2 and 3 out.
struct Temper {
  /// Where nothing can be covered at once, any paused action is resumed with this probability, whatever rules 2 and 3
  /// say.
  double unrest = 0;
  /// Below 1, what is drawn is that of the thread with the highest rank. A thread that moved gets another rank with
  /// this probability: the smaller it is, the longer some threads go on and others are held up.
  double rank_change = 1;
  /// Rule 1 also takes pairs that nobody has covered and nobody has estimated.
  bool takes_unestimated = false;
  /// What the run tries to cover, if not everything that is uncovered: only threads at these lines are paused.
  const Requirements* aim = nullptr;
};

/// Algorithm 1 of the paper: pauses and resumes threads so that what is uncovered gets covered.
class Controller {
 public:
  explicit Controller(bool estimates) : estimates_(estimates) {}

  void begin_run(std::uint64_t seed, const Temper& temper = {});
  /// Which of the enabled actions is executed now: its index.
  std::size_t decide(std::span<const Action> enabled, const Requirements& requirements);
  /// One round of the algorithm's loop (lines 4 to 37). Nothing if no action was executed in it.
  std::optional<std::size_t> iterate(std::span<const Action> enabled, const Requirements& requirements);

  /// Something happened that a requirement can begin with.
  void happened(ThreadId thread, const void* object, Location location) { last_.set({object, thread, location}); }
  /// What `action` would be the second of, if it is executed now.
  [[nodiscard]] std::optional<Pair> completes(const Action& action) const {
    if (!action.controlled) return std::nullopt;
    const LastActions::Last* before = last_.find(action.object);
    if (before == nullptr) return std::nullopt;
    if (between_threads_ && before->thread == action.thread) return std::nullopt;
    return Pair{before->location, action.location};
  }

  void set_between_threads(bool between_threads) { between_threads_ = between_threads; }
  [[nodiscard]] bool is_paused(ThreadId thread) const { return thread < paused_.size() && paused_[thread] != 0; }
  /// How often each of the three rules decided.
  [[nodiscard]] const std::array<std::uint64_t, 3>& rules_used() const { return rules_used_; }

 private:
  void pause(ThreadId thread);
  [[nodiscard]] bool shares_object_with_paused(const Action& action, std::span<const Action> enabled) const;
  [[nodiscard]] bool all_paused(std::span<const Action> enabled) const;
  [[nodiscard]] std::optional<std::size_t> find_resumed(std::span<const Action> enabled) const;
  std::size_t pick(std::span<const Action> enabled);
  std::size_t resume(std::span<const Action> enabled, const Requirements& requirements);
  std::size_t choose_by_rules(std::span<const Action> enabled, const Requirements& requirements);
  std::size_t least_useful(std::span<const Action> enabled, const Requirements& aim);
  template <typename Condition>
  std::optional<std::size_t> any_with(std::span<const Action> enabled, const Condition& holds);
  std::size_t draw(std::span<const Action> enabled, std::span<const std::size_t> candidates);
  bool happens_with(double probability);
  std::uint64_t& rank_of(ThreadId thread);
  std::size_t execute(std::span<const Action> enabled, std::size_t chosen);

  bool estimates_;  ///< rule 3: without it, any paused action is resumed
  bool between_threads_ = false;
  Temper temper_;
  SplitMix64 stream_{0};
  std::vector<char> paused_;         ///< by thread
  std::optional<ThreadId> resumed_;  ///< and not yet executed
  LastActions last_;                 ///< loc_last(p)
  Followers followers_;
  std::vector<std::uint64_t> ranks_;  ///< by thread
  std::vector<std::size_t> candidates_;
  std::array<std::uint64_t, 3> rules_used_{};
};

}  // namespace norn::coverage
