#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "explore/coverage/last_actions.hpp"
#include "explore/coverage/requirements.hpp"
#include "support/random.hpp"

namespace norn::coverage {

/// What a thread can do next.
struct Action {
  ThreadId thread;
  bool controlled;  ///< its kind is one that requirements are about
  const void* object;
  Location location;
};

/// Algorithm 1 of the paper: pauses and resumes threads so that what is uncovered gets covered.
class Controller {
 public:
  explicit Controller(bool estimates) : estimates_(estimates) {}

  /// In this run, where nothing can be covered at once, any paused action is resumed with this probability, whatever
  /// rules 2 and 3 say.
  void begin_run(std::uint64_t seed, double unrest = 0);
  /// Which of the enabled actions is executed now: its index.
  std::size_t decide(std::span<const Action> enabled, const Requirements& requirements);
  /// One round of the algorithm's loop (lines 4 to 37). Nothing if no action was executed in it.
  std::optional<std::size_t> iterate(std::span<const Action> enabled, const Requirements& requirements);

  /// Something happened that a requirement can begin with.
  void happened(ThreadId thread, const void* object, Location location) { last_.set({object, thread, location}); }
  /// What `action` would be the second of, if it is executed now.
  [[nodiscard]] std::optional<Pair> completes(const Action& action) const;

  void set_between_threads(bool between_threads) { between_threads_ = between_threads; }
  [[nodiscard]] bool is_paused(ThreadId thread) const { return thread < paused_.size() && paused_[thread]; }
  /// How often each of the three rules decided.
  [[nodiscard]] const std::array<std::uint64_t, 3>& rules_used() const { return rules_used_; }

 private:
  void pause(ThreadId thread);
  [[nodiscard]] bool shares_object_with_paused(const Action& action, std::span<const Action> enabled) const;
  [[nodiscard]] bool all_paused(std::span<const Action> enabled) const;
  std::size_t pick(std::span<const Action> enabled);
  std::size_t resume(std::span<const Action> enabled, const Requirements& requirements);
  template <typename Condition>
  std::optional<std::size_t> any_with(std::span<const Action> enabled, const Condition& holds);
  bool is_restless();
  std::size_t least_useful(std::span<const Action> enabled, const Requirements& requirements);

  bool estimates_;  ///< rule 3: without it, any paused action is resumed
  bool between_threads_ = false;
  double unrest_ = 0;
  SplitMix64 stream_{0};
  std::vector<bool> paused_;
  std::optional<ThreadId> resumed_;  ///< and not yet executed
  LastActions last_;                 ///< loc_last(p)
  std::array<std::uint64_t, 3> rules_used_{};
};

}  // namespace norn::coverage
