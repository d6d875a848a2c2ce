#pragma once

// Random programs whose threads look at what they find: run by a small machine without processes, so that strategies
// can be compared on many thousands of them. What a thread does next may depend on all that it has seen.

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/strategy.hpp"
#include "support/hash.hpp"
#include "support/random.hpp"
#include "trace/canonical.hpp"
#include "trace/dependency.hpp"

namespace norn::test {

struct AbstractOperation {
  Op op = Op::none;
  unsigned object = 0;
  std::uint64_t value = 0;
  std::uint64_t expected = 0;   ///< by a compare-and-swap
  bool only_if_odd = false;     ///< what the thread has seen
  unsigned also = 0;            ///< conditions: the mutex
  bool only_if_got_it = false;  ///< the last attempt was successful
  bool fails_if_odd = false;    ///< ends the run, depending on what the thread has seen by then
};

using AbstractThread = std::vector<AbstractOperation>;
using AbstractProgram = std::vector<AbstractThread>;

class AbstractMachine {
 public:
  AbstractMachine(const AbstractProgram& program, bool releases_visible)
      : program_(program), threads_(program.size()), releases_visible_(releases_visible) {
    for (std::size_t i = 1; i < program.size(); ++i)
      links_.push_back({0, LinkKind::created, Op::none, 0, static_cast<ThreadId>(i), nullptr});
    for (std::size_t i = 0; i < program.size(); ++i) settle(i);
  }

  [[nodiscard]] std::vector<Choice> enabled() const {
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < threads_.size(); ++i) collect(static_cast<ThreadId>(i), choices);
    return choices;
  }

  /// `enabled`: the choices there are, if somebody wants to know them from the trace.
  void move(Choice choice, std::span<const Choice> enabled = {}) {
    Thread& self = threads_[choice.thread];
    const Pending next = upcoming(choice.thread);
    choices_.insert(choices_.end(), enabled.begin(), enabled.end());
    events_.push_back({choice.thread, choice.alternative, next.op, Effect::write,
                       static_cast<std::uint16_t>(enabled.size() & 0xff), false, false, false, next.object, nullptr, 0,
                       state(next), next.argument});
    const std::size_t nth = events_.size() - 1;
    Event& event = events_.back();
    const AbstractOperation& operation = program_[choice.thread][self.at];
    const bool blind = operation.op == Op::atomic_store || operation.op == Op::semaphore_post;
    if (!blind) self.seen = combine(self.seen, event.before ^ event.alternative << 8);
    const Foreseen foreseen = foresee(next.op, next.argument, choice.thread, event.before);
    if (foreseen == Foreseen::reads) event.effect = Effect::read;
    if (next.op == Op::mutex_try_lock || next.op == Op::mutex_timed_lock) self.got_it = event.effect == Effect::write;
    const bool may_fail = operation.fails_if_odd && self.phase == Phase::before;
    perform(choice, operation, Event(event));
    events_[nth].value = state(next);  // there may be one more event now
    if (may_fail && self.phase == Phase::before && self.seen % 2 == 1) end_ = End::assertion;
    if (operation.op == Op::process_exit) end_ = End::finished;
    if (end_) outcome_.thread = choice.thread;
    if (!end_) settle(choice.thread);
  }
  /// How the run has ended, if it has.
  [[nodiscard]] std::optional<End> end() const {
    if (end_ || !enabled().empty()) return end_;
    return is_finished() ? End::finished : End::deadlock;
  }

  [[nodiscard]] bool is_finished() const {
    for (std::size_t i = 0; i < threads_.size(); ++i)
      if (threads_[i].at < program_[i].size()) return false;
    return true;
  }

  Trace trace(End end) {
    outcome_.end = end;
    pending_.clear();
    for (std::size_t i = 0; i < threads_.size(); ++i)
      if (threads_[i].at < program_[i].size() && !(end_ && outcome_.thread == i))
        pending_.push_back(upcoming(static_cast<ThreadId>(i)));
    Trace trace;
    trace.events = events_;
    trace.choices = choices_;
    trace.threads = static_cast<std::uint32_t>(threads_.size());
    trace.outcome = &outcome_;
    trace.links = links_;
    trace.pending = pending_;
    trace.releases = {releases_visible_, releases_visible_};
    return trace;
  }

  [[nodiscard]] Pending upcoming(ThreadId thread) const {
    const Thread& self = threads_[thread];
    const AbstractOperation& operation = program_[thread][self.at];
    const bool is_wait = operation.op == Op::condition_sleep || operation.op == Op::condition_timed_sleep;
    const bool is_address_wait = operation.op == Op::address_sleep || operation.op == Op::address_timed_sleep;
    Pending pending{thread, operation.op, address(operation.object), operation.expected, false};
    if (is_address_wait && self.phase == Phase::before) pending.op = Op::address_wait;
    if (!is_wait) return pending;
    if (self.phase == Phase::before) pending.op = Op::condition_wait;
    if (self.phase == Phase::woken) pending.op = Op::condition_relock, pending.object = address(operation.also);
    return pending;
  }
  [[nodiscard]] std::span<const Event> events() const { return events_; }
  /// That a thread gives back when it begins to wait for a condition.
  [[nodiscard]] const void* mutex_of(ThreadId thread) const {
    const bool waits = upcoming(thread).op == Op::condition_wait;
    return waits ? address(program_[thread][threads_[thread].at].also) : nullptr;
  }

 private:
  enum class Phase { before, asleep, woken };
  struct Thread {
    std::size_t at = 0;
    Phase phase = Phase::before;
    std::uint64_t seen = 0;
    bool got_it = true;
    unsigned ticket = 0;
  };

  static const void* address(unsigned object) { return reinterpret_cast<const void*>(0x1000UL + 8UL * object); }
  static unsigned number(const void* object) {
    return static_cast<unsigned>((reinterpret_cast<std::uintptr_t>(object) - 0x1000) / 8);
  }

  [[nodiscard]] std::uint64_t state(const Pending& next) const {
    switch (next.op) {
      case Op::condition_wait:
      case Op::condition_sleep:
      case Op::condition_timed_sleep:
      case Op::condition_signal:
      case Op::condition_broadcast:
      case Op::address_sleep:
      case Op::address_timed_sleep:
      case Op::address_wake: return 0;
      default: return states_[number(next.object)];
    }
  }

  [[nodiscard]] std::vector<ThreadId> sleepers(const void* object) const {
    std::vector<ThreadId> found;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (threads_[i].at >= program_[i].size() || threads_[i].phase != Phase::asleep) continue;
      if (address(program_[i][threads_[i].at].object) == object) found.push_back(static_cast<ThreadId>(i));
    }
    return found;
  }

  void collect(ThreadId thread, std::vector<Choice>& choices) const {
    if (threads_[thread].at >= program_[thread].size()) return;
    const Pending next = upcoming(thread);
    if (next.op == Op::condition_sleep || next.op == Op::address_sleep) return;
    if (next.op == Op::condition_timed_sleep || next.op == Op::address_timed_sleep)
      return choices.push_back({thread, expires});
    if (next.op == Op::condition_signal || (next.op == Op::address_wake && next.argument == 1)) {
      const std::vector<ThreadId> waiting = sleepers(next.object);
      for (const ThreadId waiter : waiting) choices.push_back({thread, waiter});
      if (waiting.empty()) choices.push_back({thread, no_thread});
      return;
    }
    const Foreseen foreseen = foresee(next.op, next.argument, thread, state(next));
    if (foreseen != Foreseen::blocked) choices.push_back({thread, alternative_of(next.op, foreseen)});
  }

  void link(LinkKind kind, ThreadId thread, ThreadId other, const void* object, Op op = Op::none) {
    links_.push_back({static_cast<std::uint32_t>(events_.size()), kind, op, thread, other, object});
  }

  void wake(ThreadId thread, ThreadId waiter) {
    const Pending sleep = upcoming(waiter);
    link(LinkKind::woke, thread, waiter, sleep.object, sleep.op);
    threads_[waiter].phase = Phase::woken;
    if (sleep.op == Op::condition_sleep || sleep.op == Op::condition_timed_sleep) return;
    threads_[waiter].phase = Phase::before;
    ++threads_[waiter].at;
    settle(waiter);
  }

  void perform(Choice choice, const AbstractOperation& operation, const Event& event) {
    Thread& self = threads_[choice.thread];
    std::uint64_t& value = states_[number(event.object)];
    const bool changes = event.effect == Effect::write;
    switch (event.op) {
      case Op::atomic_store: value = operation.value; break;
      case Op::atomic_update: value += operation.value; break;
      case Op::atomic_compare_exchange:
        if (changes) value = operation.value;
        break;
      case Op::mutex_lock:
      case Op::mutex_try_lock:
      case Op::mutex_timed_lock:
        if (changes) value = state::of_mutex(choice.thread, false, false);
        break;
      case Op::condition_relock:
        value = state::of_mutex(choice.thread, false, false);
        self.phase = Phase::before;
        break;
      case Op::mutex_unlock: value = state::free; break;
      case Op::semaphore_post: ++value; break;
      case Op::semaphore_wait:
      case Op::semaphore_try_wait:
      case Op::semaphore_timed_wait:
        if (changes) --value;
        break;
      case Op::condition_wait: self.phase = Phase::asleep; return give_back(choice.thread, operation.also);
      case Op::condition_timed_sleep: self.phase = Phase::woken; return;
      case Op::address_wait:
        if (changes) return void(self.phase = Phase::asleep);
        break;
      case Op::address_timed_sleep: self.phase = Phase::before; break;
      case Op::address_wake:
        if (event.argument != 1) {
          for (const ThreadId waiter : sleepers(event.object)) wake(choice.thread, waiter);
        } else if (choice.alternative != no_thread) {
          wake(choice.thread, choice.alternative);
        }
        break;
      case Op::condition_signal:
        if (choice.alternative != no_thread) wake(choice.thread, choice.alternative);
        break;
      case Op::condition_broadcast:
        for (const ThreadId waiter : sleepers(event.object)) wake(choice.thread, waiter);
        break;
      default: break;
    }
    ++self.at;
  }

  /// In the same step as whatever came before.
  void give_back(ThreadId thread, unsigned mutex) {
    if (releases_visible_)
      events_.push_back({thread, 0, Op::mutex_unlock, Effect::write, 0, false, false, false, address(mutex), nullptr, 0,
                         states_[mutex]});
    states_[mutex] = state::free;
    link(LinkKind::released, thread, no_thread, address(mutex));
  }

  /// What is no event happens at once.
  void settle(std::size_t thread) {
    Thread& self = threads_[thread];
    if (self.phase != Phase::before) return;
    for (; self.at < program_[thread].size(); ++self.at) {
      const AbstractOperation& operation = program_[thread][self.at];
      const bool is_skipped =
          (operation.only_if_odd && self.seen % 2 == 0) || (operation.only_if_got_it && !self.got_it);
      if (is_skipped) continue;
      if (operation.op != Op::mutex_unlock || releases_visible_) return;
      states_[operation.object] = state::free;
      link(LinkKind::released, static_cast<ThreadId>(thread), no_thread, address(operation.object));
    }
  }

  const AbstractProgram& program_;
  std::vector<Thread> threads_;
  std::array<std::uint64_t, 16> states_{};
  std::vector<Event> events_;
  std::vector<Choice> choices_;
  std::optional<End> end_;
  std::vector<Link> links_;
  std::vector<Pending> pending_;
  Outcome outcome_;
  bool releases_visible_;
};

}  // namespace norn::test
