// What can turn out to change nothing, and what it could see instead.

#include "explore/reachability/syn_sequence.hpp"
#include "trace/dependency.hpp"

namespace norn::reachability {

bool only_looks(Op op) { return op == Op::atomic_load || op == Op::semaphore_value || op == Op::plain_read; }

bool can_look(Op op) {
  switch (op) {
    case Op::semaphore_try_wait:
    case Op::semaphore_timed_wait:
    case Op::once:
    case Op::atomic_compare_exchange:
    case Op::address_wait:
    case Op::thread_try_join: return true;
    default: return only_looks(op) || may_go_without(op);
  }
}

/// It would have ended the run as it is now. Another state it could have seen well.
void SynSequenceReader::note_pending_look(const Pending& pending) {
  object(pending.object);
  Receiving& r = sequence_.receiving.emplace_back();
  r.object = pending.object;
  r.thread = pending.thread;
  r.is_look = r.changes_instead = r.is_pending = true;
  r.index = static_cast<std::uint32_t>(sequence_.calls[pending.thread].size() - 1);
  r.structure = sequence_.calls[pending.thread].back();
  Event& event = events_.emplace_back();
  event.thread = pending.thread;
  event.op = pending.op;
  event.object = pending.object;
  event.argument = pending.argument;
  opened_.emplace_back();
}

void SynSequenceReader::find_races_of_looks() {
  for (std::uint32_t i = 0; i < sequence_.receiving.size(); ++i)
    if (sequence_.receiving[i].is_look) find_races_of(i);
}

/// It could see every state that its thread does not know to be over, and that did not come about because of it.
void SynSequenceReader::find_races_of(std::uint32_t look) {
  Receiving& r = sequence_.receiving[look];
  const Event& event = events_[look];
  const States& on = sequence_.states_of(r.object);
  const std::size_t last = on.receiving.size();
  if (!r.changes_instead) {
    r.partner.structure = on.after[r.partner.order];
    if (r.partner.order != 0) r.partner.sender = sequence_.receiving[on.receiving[r.partner.order - 1]].thread;
  }
  for (std::size_t m = 0; m <= last; ++m) {
    if (r.is_pending ? m == last : !r.changes_instead && m == r.partner.order) continue;
    if (m < last && sequence_.contains(r.structure, sequence_.receiving[on.receiving[m]])) continue;
    if (sequence_.contains(on.after[m], r)) continue;
    // How it turns out in the last state shows when it comes there. Where it changes the object otherwise, that is a
    // race for the next change.
    const bool may_change = m == last && !only_looks(event.op);
    if (m < last && foresee_at(on, m, event.op, event.argument, r.thread) != Foreseen::reads) continue;
    Sending s;
    s.sender = m == 0 ? no_thread : sequence_.receiving[on.receiving[m - 1]].thread;
    s.op = event.op;
    s.may_change = may_change;
    s.structure = on.after[m];
    s.order = static_cast<std::uint32_t>(m);
    r.race_set.push_back(s);
  }
}

/// Who looked at another state could change the object in this one.
void SynSequenceReader::consider_looks(const States& on, std::size_t k) {
  Receiving& r = sequence_.receiving[on.receiving[k]];
  for (const std::uint32_t i : looks_) {
    const Receiving& look = sequence_.receiving[i];
    if (look.object != r.object) continue;
    if (sequence_.contains(look.structure, r) || sequence_.contains(r.structure, look)) continue;
    const Event& event = events_[i];
    const Foreseen foreseen = foresee_at(on, k, event.op, event.argument, look.thread);
    if (foreseen != Foreseen::writes && !(foreseen == Foreseen::shares && releases_.of_shares)) continue;
    Sending s{look.thread, alternative_of(event.op, foreseen), event.op, event.argument};
    s.index = look.index;
    s.structure = look.structure;
    r.race_set.push_back(s);
  }
}

}  // namespace norn::reachability
