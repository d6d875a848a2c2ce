#pragma once

#include <span>
#include <vector>

#include "explore/reachability/variant.hpp"
#include "explore/strategy.hpp"

namespace norn::reachability {

/// A run that exercises a variant: which choices it allows. Nothing is ordered that the variant does not order.
class PrefixRun {
 public:
  /// Who takes a lock together with others is no event on it, unless giving it back is one.
  void begin(const Variant& variant, VisibleReleases releases);
  /// Tells what has happened; `events` are all events of the run.
  void follow(std::span<const Event> events);
  /// Not what the variant ends with, which comes after all that is allowed.
  [[nodiscard]] bool allows(Choice choice, const Upcoming& upcoming) const;
  [[nodiscard]] std::uint32_t events_of(ThreadId thread) const { return thread < events_.size() ? events_[thread] : 0; }
  /// Whether the next step of a thread could be this one. Its object has to be known to the variant.
  [[nodiscard]] bool is_at(const Ending& ending, ThreadId thread) const;
  /// Whether the object of the end must not be changed any more.
  [[nodiscard]] bool is_frozen() const;
  /// Whether all that has a partner has happened.
  [[nodiscard]] bool is_done() const;
  /// A look that turned out to be a change too early: others were to see what it saw. Null if there is none.
  [[nodiscard]] const Variant::Look* find_early_change(std::span<const Event> events) const;

 private:
  struct Received {
    ThreadId sender;
    const void* port;
    std::uint32_t count;
  };

  [[nodiscard]] bool allows_message(Choice choice, const Upcoming& upcoming) const;
  [[nodiscard]] bool allows_call(Choice choice, const Upcoming& upcoming) const;
  [[nodiscard]] bool allows_look(Choice choice, const Upcoming& upcoming) const;
  [[nodiscard]] bool allows_change(Choice choice, std::uint32_t index, Op op, const Variant::OnObject& on) const;
  [[nodiscard]] bool allows_unlock(Choice wait, const void* mutex) const;
  [[nodiscard]] bool has_happened(const Variant::Look& look) const { return events_of(look.thread) > look.index; }
  /// Whether nobody else has to see the object as it is now before `look`, or before any change.
  [[nodiscard]] bool may_change(const Variant::OnObject& on, const Variant::Look* look = nullptr) const;
  [[nodiscard]] std::uint32_t changes_of(const Variant::OnObject& on) const {
    return completed_[static_cast<std::size_t>(&on - variant_->objects.data())];
  }
  [[nodiscard]] bool always_changes(Op op) const;
  [[nodiscard]] bool is_kept_for_end(Choice choice, const Upcoming& upcoming) const;
  [[nodiscard]] std::uint32_t received(ThreadId sender, const void* port) const;

  const Variant* variant_ = nullptr;
  VisibleReleases releases_;
  std::size_t seen_ = 0;
  std::vector<std::uint32_t> events_;     ///< of each thread
  std::vector<std::uint32_t> completed_;  ///< on each object of the variant
  std::vector<Received> received_;
};

}  // namespace norn::reachability
