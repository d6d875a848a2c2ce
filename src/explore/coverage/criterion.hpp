#pragma once

#include <memory>
#include <set>
#include <span>
#include <string_view>

#include "explore/coverage/acceptance.hpp"

namespace norn::coverage {

/// What counts as covered. A criterion knows its requirements; that they are covered is the controller's work.
class Criterion {
 public:
  virtual ~Criterion() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The requirements that can probably be covered, seen from this run (a model with accesses). `happens_before`: also
  /// leave out what starting and joining threads makes impossible.
  [[nodiscard]] virtual Estimated estimate(const ThreadModel& model, bool happens_before) const = 0;
  /// What the run has covered.
  [[nodiscard]] virtual std::set<Pair> covered(const Trace& trace, const ThreadModel& model) const = 0;

  // For the controller.

  /// Whether threads are paused before such operations.
  [[nodiscard]] virtual bool controls(Op op) const = 0;
  /// Whether the event is one that a requirement can begin with, so that the next one on the same object may cover it.
  [[nodiscard]] virtual bool begins(const Event& event) const = 0;
  /// Whether any two events on one object are a requirement, if the first is one that a requirement can begin with and
  /// the second comes next.
  [[nodiscard]] virtual bool counts_any_two() const { return false; }
  /// Whether the second event of a requirement must be another thread's.
  [[nodiscard]] virtual bool between_threads() const { return true; }
};

/// All criteria, the default first.
std::span<const std::string_view> criteria();
std::unique_ptr<Criterion> make_criterion(std::string_view name);
/// Whether it needs accesses to plain variables to be events.
bool is_about_accesses(std::string_view name);

std::unique_ptr<Criterion> make_sync_pairs();
std::unique_ptr<Criterion> make_blocking_pairs();
std::unique_ptr<Criterion> make_statement_pairs();
std::unique_ptr<Criterion> make_def_use_pairs();

}  // namespace norn::coverage
