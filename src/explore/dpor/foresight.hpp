#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "explore/strategy.hpp"
#include "support/hash.hpp"
#include "trace/event.hpp"

namespace norn::dpor {

/// For every thread a number that stands for its causal past: for all that it did and saw, and so for what it does
/// next. Rounds of loops that wait are as if they had not happened.
class Histories {
 public:
  void begin(unsigned width) {
    ++run_;
    threads_.assign(width, 1);
  }

  /// What a thread saw when it did an operation on an object as it was after `seen`, the history of who wrote it last.
  static std::uint64_t after(std::uint64_t history, Op op, std::uint16_t alternative, std::uint32_t object,
                             std::uint64_t seen);

  [[nodiscard]] std::uint64_t of(ThreadId thread) const { return threads_[thread]; }
  /// Whether a lock, or something that is done once, has been given back: then what is there to see is not only what
  /// was written.
  [[nodiscard]] bool was_released(std::uint32_t object) const {
    return object < objects_.size() && objects_[object].run == run_ && objects_[object].released;
  }
  /// Of who wrote the object last.
  [[nodiscard]] std::uint64_t seen_on(std::uint32_t object) const {
    return object < objects_.size() && objects_[object].run == run_ ? objects_[object].written : 0;
  }

  /// The history of its thread after the event.
  std::uint64_t add(const Event& event, std::uint32_t object);
  void created(ThreadId parent, ThreadId child);
  /// `thread` knows what `other` did.
  void joined(ThreadId thread, ThreadId other);
  void released(ThreadId thread, std::uint32_t object);

 private:
  struct Object {
    std::uint32_t run = 0;
    std::uint64_t written = 0;
    bool released = false;
  };

  Object& object(std::uint32_t number);

  std::uint32_t run_ = 0;
  std::vector<std::uint64_t> threads_;
  std::vector<Object> objects_;  ///< by number
};

/// The looks of a thread that goes round a loop, where it was and what it saw each time, as a number. All that decides
/// where it comes next is in it, so whoever looks at the same from the same places comes to where it was, too, however
/// it came there the first time.
class Round {
 public:
  void look(std::uint64_t whereabouts, std::uint64_t seen) {
    is_known_ &= whereabouts != 0;
    sum_ = combine(combine(sum_, whereabouts), seen);
  }
  [[nodiscard]] bool is_empty() const { return sum_ == empty; }
  /// 0: not known.
  [[nodiscard]] std::uint64_t number() const { return is_known_ ? sum_ : 0; }

 private:
  static constexpr std::uint64_t empty = 1;

  std::uint64_t sum_ = empty;
  bool is_known_ = true;
};

/// Rounds in vain that were seen: a thread that has come to the same point by the same way goes such a round again. So
/// some runs that would be given up need not be done. Forgets what it has no room for.
class Foresight {
 public:
  /// A thread with this history will look at `object` next, if it goes round.
  void will_look(std::uint64_t history, Op op, std::uint16_t alternative, std::uint32_t object) {
    put({history, object, op, alternative, false, 0});
  }
  /// The same after the first looks of a round.
  void will_look(const Round& round, std::uint64_t whereabouts, std::uint32_t object) {
    if (round.number() != 0) put({round.number(), object, Op::none, 0, false, whereabouts});
  }
  /// A thread with this history has gone round in vain.
  void was_in_vain(std::uint64_t history) { put({history, 0, Op::none, 0, true, 0}); }

  /// A thread has gone this round in vain.
  void was_round(const Round& round) {
    if (round.number() != 0) was_in_vain(round.number());
  }
  [[nodiscard]] bool is_round(const Round& round) const { return round.number() != 0 && is_in_vain(round.number()); }

  /// Threads look at `object` here while they wait.
  void add_place(const void* site, const void* object) {
    if (!is_place(site, object)) places_.push_back({site, object});
  }
  void add_places(const ThreadsView& threads) {
    for (const auto& [site, object] : threads.waiting_places()) add_place(site, object);
  }
  [[nodiscard]] bool knows_places() const { return !places_.empty(); }
  [[nodiscard]] bool is_looked_at(const void* object) const {
    return std::any_of(places_.begin(), places_.end(), [object](const auto& place) { return place.second == object; });
  }
  [[nodiscard]] bool is_place(const void* site, const void* object) const {
    return std::find(places_.begin(), places_.end(), std::pair{site, object}) != places_.end();
  }

  struct Known {
    std::uint64_t history = 0;
    std::uint32_t object = 0;
    Op op = Op::none;
    std::uint16_t alternative = 0;
    bool in_vain = false;
    std::uint64_t whereabouts = 0;
  };
  /// nullptr if nothing is known.
  [[nodiscard]] const Known* find(std::uint64_t history) const {
    if (table_.empty()) return nullptr;
    const Known& entry = table_[history % size];
    return entry.history == history ? &entry : nullptr;
  }
  [[nodiscard]] bool is_in_vain(std::uint64_t history) const {
    const Known* known = find(history);
    return known != nullptr && known->in_vain;
  }

 private:
  static constexpr std::size_t size = std::size_t{1} << 15;

  void put(const Known& known) {
    if (table_.empty()) table_.resize(size);
    Known& entry = table_[known.history % size];
    // That a round ends in vain says more than how it goes on.
    if (entry.history != known.history || !entry.in_vain) entry = known;
  }

  std::vector<Known> table_;
  std::vector<std::pair<const void*, const void*>> places_;
};

}  // namespace norn::dpor
