// The race sets of a sequence (proposition 2).

#include <algorithm>

#include "explore/reachability/syn_sequence.hpp"
#include "explore/strategy.hpp"
#include "trace/dependency.hpp"

namespace norn::reachability {
namespace {

/// Whether an event can have left its object in this state.
bool may_leave(const Event& event, std::uint64_t state) {
  switch (event.op) {
    case Op::atomic_store:
    case Op::atomic_update:
    case Op::atomic_compare_exchange:
    case Op::semaphore_post:
    case Op::binary_post:
    case Op::semaphore_wait:
    case Op::semaphore_try_wait:
    case Op::semaphore_timed_wait: return state == event.value;
    default: return true;
  }
}

/// Whether how an operation turns out depends on the state of its object.
bool depends_on_state(Op op) {
  return (can_look(op) && !only_looks(op)) || op == Op::semaphore_wait || op == Op::binary_post;
}

}  // namespace

void SynSequenceReader::find_races(const Trace& trace) {
  for (const States& states : sequence_.objects) find_races_on(states, trace);
  find_races_of_looks();
  find_races_of_messages();
  find_racing_readers(trace);
}

/// Of each other thread only its next call can be completed instead: whatever it calls later happens after that, and so
/// after the event in question.
void SynSequenceReader::find_races_on(const States& on, const Trace& trace) {
  for (std::size_t k = 0; k < on.receiving.size() && !is_overdue; ++k) {
    const Receiving& r = sequence_.receiving[on.receiving[k]];
    std::vector<bool> seen(sequence_.width, false);
    seen[r.thread] = true;
    for (std::size_t later = k + 1; later < on.receiving.size(); ++later) {
      const Event& event = events_[on.receiving[later]];
      if (seen[event.thread]) continue;
      seen[event.thread] = true;
      consider(on, k, {event.thread, event.op, on.object, event.argument, false},
               sequence_.receiving[on.receiving[later]].index);
    }
    for (const Pending& pending : trace.pending)
      if (pending.object == on.object && !seen[pending.thread] && is_call(pending.op) && pending.op != Op::receive)
        consider(on, k, pending, static_cast<std::uint32_t>(sequence_.calls[pending.thread].size() - 1));
    consider_looks(on, k);
    consider_waiters(on, k);
  }
}

/// Whether a call could be what changes the object there.
void SynSequenceReader::consider(const States& on, std::size_t k, const Pending& call, std::uint32_t index) {
  Receiving& r = sequence_.receiving[on.receiving[k]];
  const Row structure = sequence_.calls[call.thread][index];
  // For those that sleep see consider_waiters.
  if (is_timed_sleep(call.op) || sequence_.contains(structure, r)) return;
  const Foreseen foreseen = foresee_at(on, k, call.op, call.argument, call.thread);
  const bool shares = foreseen == Foreseen::shares && !releases_.of_shares;
  sequence_.has_racing_readers |= shares;
  if (foreseen == Foreseen::blocked || foreseen == Foreseen::reads || shares) return;
  const bool is_first = index == 0 && !begins_late_[call.thread];
  Sending s{call.thread, alternative_of(call.op, foreseen), call.op, call.argument, is_first};
  s.index = index;
  s.structure = structure;
  if (!wakes_one(call.op, call.argument)) return r.race_set.push_back(s);
  add_signals(on, k, s);
}

/// A signal wakes one of those who wait, if there are any.
void SynSequenceReader::add_signals(const States& on, std::size_t k, Sending signal) {
  std::vector<Sending>& race_set = sequence_.receiving[on.receiving[k]].race_set;
  bool is_lost = true;
  for (const Wait& wait : waits_) {
    if (!is_waiting(wait, on, k) || (!is_lost && !wakes_any_)) continue;
    is_lost = false;
    signal.alternative = wait.thread;
    race_set.push_back(signal);
  }
  signal.alternative = no_thread;
  if (is_lost) race_set.push_back(signal);
}

/// Whom the signal could wake instead, and who could stop waiting by itself.
void SynSequenceReader::consider_waiters(const States& on, std::size_t k) {
  Receiving& r = sequence_.receiving[on.receiving[k]];
  if (wakes_one(r.partner.op, r.partner.argument)) {
    add_signals(on, k, r.partner);
    std::erase_if(r.race_set, [&r](const Sending& s) {
      return s.sender == r.thread && s.index == r.index && s.alternative == r.partner.alternative;
    });
  }
  for (const Wait& wait : waits_) {
    if (!is_timed_sleep(wait.sleep) || !is_waiting(wait, on, k) || r.thread == wait.thread) continue;
    Sending s{wait.thread, expires, wait.sleep};
    s.index = wait.index;
    s.structure = wait.structure;
    r.race_set.push_back(s);
  }
}

/// Whether a thread has begun to wait before the k-th change of its object, and still does.
bool SynSequenceReader::is_waiting(const Wait& wait, const States& on, std::size_t k) {
  return wait.object == on.object && wait.begin < k && k <= wait.end;
}

/// How an operation would turn out instead of the k-th change.
Foreseen SynSequenceReader::foresee_at(const States& on, std::size_t k, Op op, std::uint64_t argument,
                                       ThreadId thread) {
  const std::optional<std::uint64_t> state = state_before(on, k);
  sequence_.has_unknown_states |= !state && depends_on_state(op);
  return foresee(op, argument, thread, state.value_or(0));
}

/// The state that the k-th change finds. Those who wait for an address, or wake others, leave it as it is, and some of
/// them do not know it. Where an object was made anew in the same place, later events know nothing of the earlier one.
std::optional<std::uint64_t> SynSequenceReader::state_before(const States& on, std::size_t k) const {
  const auto event = [&](std::size_t i) -> const Event& { return events_[on.receiving[i]]; };
  for (std::size_t i = k; i < on.receiving.size(); ++i) {
    if (!knows_state(event(i).op)) continue;
    std::size_t last = k;
    while (last > 0 && !knows_state(event(last - 1).op)) --last;
    if (last > 0 && !may_leave(event(last - 1), event(i).before)) return std::nullopt;
    return event(i).before;
  }
  for (const std::uint32_t i : looks_) {
    const Receiving& r = sequence_.receiving[i];
    if (r.object == on.object && r.partner.order >= k) return events_[i].before;
  }
  for (std::size_t i = k; i > 0; --i) {
    if (event(i - 1).op == Op::address_wait) return event(i - 1).before;
    if (knows_state(event(i - 1).op)) break;
  }
  return std::nullopt;
}

/// Of each thread only the first message to a port that has not been received before: they come in order.
void SynSequenceReader::find_races_of_messages() {
  for (std::size_t i = 0; i < sequence_.receiving.size(); ++i) {
    Receiving& r = sequence_.receiving[i];
    if (!r.is_message) continue;
    for (std::size_t m = 0; m < sequence_.messages.size(); ++m) {
      const Sending& message = sequence_.messages[m];
      const auto open = std::find(opened_[i].begin(), opened_[i].end(), message.port);
      if (open == opened_[i].end() || sequence_.contains(message.structure, r)) continue;
      // It was received before, or is what is received here.
      if (received_by_[m] != none && received_by_[m] <= i) continue;
      const auto overtakes = [&](std::size_t other) {
        return sequence_.messages[other].port == message.port && sequence_.messages[other].sender == message.sender &&
               (received_by_[other] == none || received_by_[other] >= i);
      };
      bool is_next = true;
      for (std::size_t other = 0; other < m && is_next; ++other) is_next = !overtakes(other);
      if (!is_next) continue;
      Sending s = message;
      s.alternative = from_sender(s.sender, static_cast<unsigned>(open - opened_[i].begin()));
      r.race_set.push_back(s);
    }
  }
}

/// Readers that hold a lock together are no events on it. That is right unless somebody could change it both before and
/// after they take it.
void SynSequenceReader::find_racing_readers(const Trace& trace) {
  for (const Reader& reader : readers_) {
    const auto knows_reader = [&](Row past) { return sequence_.contains(past, reader.event.thread, reader.index); };
    const std::vector<std::uint32_t>& all = object(reader.event.object).receiving;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Receiving& r = sequence_.receiving[all[k]];
      const bool is_ordered = k < reader.order ? sequence_.contains(reader.past, r) : knows_reader(r.partner.structure);
      sequence_.has_racing_readers |= !is_ordered;
    }
    for (const Pending& pending : trace.pending)
      if (pending.object == reader.event.object && is_call(pending.op) && pending.thread != reader.event.thread)
        sequence_.has_racing_readers |= !knows_reader(sequence_.calls[pending.thread].back());
  }
}

}  // namespace norn::reachability
