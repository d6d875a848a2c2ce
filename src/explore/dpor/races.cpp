#include "explore/dpor/races.hpp"

#include <algorithm>

#include "explore/dpor/readers.hpp"
#include "explore/strategy.hpp"

namespace norn::dpor {

void Races::find(const Candidate& candidate, Position length, Position last, const Clock* past, std::uint64_t state,
                 std::uint32_t until) {
  last_ = last;
  for (Position i = last; i != nowhere && !is_overdue;) {
    const Node& node = frame_->nodes[i];
    const bool is_known = knows(past, node);
    // It was here before, and `node` came to overtake it.
    const bool overtook = node.overtaken == candidate.thread && node.overtaken_index == candidate.index;
    if (node.effect == Effect::write && (is_known || overtook)) return;
    // A load of the guard of a local static sees only whether it is done.
    const bool sees_part = candidate.op == Op::once && node.op == Op::atomic_load;
    if (knows_state(node.op) && !sees_part) state = node.before;
    Foreseen foreseen = foresee(candidate.op, candidate.argument, candidate.thread, state);
    if (foreseen == Foreseen::shares && readers_ordered_) foreseen = Foreseen::writes;
    // What would not write here overtakes neither this read nor those that find the same: what matters is before them.
    // So cost is in proportion to the length of a run also where one read follows another.
    if (node.effect == Effect::read && foreseen != Foreseen::writes) {
      i = writes_nowhere(candidate.op) ? node.previous_write : node.previous_unlike;
      continue;
    }
    const bool stays = is_known || foreseen == Foreseen::blocked || is_overtaken_by_end(candidate, node);
    if (!stays && !overtake(candidate, length, i, past, foreseen, state, until)) return;
    i = node.previous;
  }
}

/// Whether an operation overtakes no reads, in whatever state they find the object: how many readers there are is one.
bool Races::writes_nowhere(Op op) const { return op == Op::atomic_load || (is_reader(op) && !readers_ordered_); }

/// The candidate, which turns out like this in this state, could come before the node at `i`. False if it could not
/// come before anything earlier either.
bool Races::overtake(const Candidate& candidate, Position length, Position i, const Clock* past, Foreseen foreseen,
                     std::uint64_t state, std::uint32_t until) {
  const Position target = begin_of_step(*frame_, i);
  if (foreseen != Foreseen::reads) {
    if (frame_->nodes[target].stamp < until) revisit(candidate, length, target, past, foreseen);
    return true;
  }
  if (!can_be_placed(length, target, past)) return false;
  const Node* write = frame_->write_before(i);
  const std::uint32_t seen = write == nullptr ? 0 : write->stamp;
  if (!frame_->may_see(candidate.thread, candidate.index, seen)) return true;
  const std::uint64_t history = history_after(candidate, write);
  if (is_in_vain(history, candidate.thread, length, past)) return true;
  const bool is_value = is_on_atomic(frame_->nodes[i].op);
  if (is_value && goes_round(candidate, state, length, past)) return true;
  place(candidate, length, target, past);
  frame_->children.back().history = history;
  frame_->children.back().whereabouts = is_value ? candidate.whereabouts : 0;
  frame_->children.back().sees = state;
  return true;
}

/// That of the candidate's thread, if it sees what `write` left. 0: not known.
std::uint64_t Races::history_after(const Candidate& candidate, const Node* write) const {
  const bool sees_value = is_on_atomic(candidate.op) && candidate.op != Op::atomic_store;
  if (!sees_value || ahead_.histories == nullptr || ahead_.histories->was_released(candidate.object)) return 0;
  return Histories::after(ahead_.histories->of(candidate.thread), candidate.op, 0, candidate.object,
                          write == nullptr ? 0 : write->history);
}

/// Whether it is known that a thread that goes on with this history goes round in vain, and that nothing could be
/// derived from that: what it would look at next in the round is known to it already, and nobody else moves any more.
bool Races::is_in_vain(std::uint64_t history, ThreadId thread, Position length, const Clock* past) const {
  while (history != 0) {
    const Foresight::Known* known = ahead_.foresight->find(history);
    if (known == nullptr || known->in_vain) return known != nullptr;
    if (!ahead_.is_alone(thread, length)) return false;
    const Position last = ahead_.causality->last_write_on(known->object);
    if (last != nowhere && !knows(past, frame_->nodes[last])) return false;
    history = Histories::after(history, known->op, known->alternative, known->object,
                               ahead_.histories->seen_on(known->object));
  }
  return false;
}

/// The same by where the thread is and what it sees there. The round may have begun some looks ago.
bool Races::goes_round(const Candidate& candidate, std::uint64_t sees, Position length, const Clock* past) const {
  if (ahead_.foresight == nullptr || candidate.whereabouts == 0) return false;
  return any_round(*frame_, length, candidate.thread, candidate.whereabouts, sees,
                   [&](const Round& round) { return is_in_vain(round, candidate.thread, length, past); });
}

bool Races::is_in_vain(Round round, ThreadId thread, Position length, const Clock* past) const {
  constexpr int longest = 64;
  for (int look = 0; look < longest && round.number() != 0; ++look) {
    const Foresight::Known* known = ahead_.foresight->find(round.number());
    if (known == nullptr || known->in_vain) return known != nullptr;
    if (!ahead_.is_alone(thread, length)) return false;
    const Position last = ahead_.causality->last_on(known->object);
    const Position write = ahead_.causality->last_write_on(known->object);
    if (last == nowhere || (write != nowhere && !knows(past, frame_->nodes[write]))) return false;
    const Node& node = frame_->nodes[last];
    if (!is_on_atomic(node.op)) return false;
    round.look(known->whereabouts, node.effect == Effect::write ? node.value : node.before);
  }
  return false;
}

/// Whether a node came before the end after it was clear what the end is. Whoever writes there would change that.
bool Races::is_overtaken_by_end(const Candidate& candidate, const Node& node) const {
  return frame_->end && frame_->end->node.object == candidate.object && node.stamp > frame_->end->node.stamp;
}

/// The stamp of the latest event that is not as the run chose it by itself and that the candidate does not need; 0 if
/// there is none. Only events added after it may be dropped.
std::uint32_t Races::latest_choice_unknown_to(const Clock* past) const {
  std::uint32_t latest = frame_->end ? frame_->end->node.stamp : 0;
  for (const Position i : frame_->chosen)
    if (!knows(past, frame_->nodes[i])) latest = std::max(latest, frame_->nodes[i].stamp);
  return latest;
}

std::uint32_t Races::keep(const Clock* past) {
  const std::size_t used = frame_->pasts.size();
  frame_->pasts.resize(used + frame_->width);
  copy_clocks(past, &frame_->pasts[used], frame_->width);
  return static_cast<std::uint32_t>(used / frame_->width);
}

void Races::place(const Candidate& candidate, Position length, Position write, const Clock* past) {
  const std::uint16_t alternative = alternative_of(candidate.op, Foreseen::reads);
  std::uint32_t read = no_row;
  if (candidate.waits) {
    read = static_cast<std::uint32_t>(frame_->reads.size());
    frame_->reads.push_back({candidate.thread, alternative, candidate.op, Effect::read, false, true, no_thread, 0, 0,
                             frame_->next_stamp, candidate.object, nowhere, nowhere, nowhere, no_row, 0,
                             candidate.argument, nullptr});
  }
  frame_->children.push_back(
      {Child::Kind::place, candidate.thread, alternative, false, length, write, read, frame_->next_stamp});
  frame_->children.back().object = candidate.object;
  if (keeps_pasts_) frame_->children.back().needs = keep(past);
}

/// A read can be placed before `write` if it does not come after it by way of other events.
bool Races::can_be_placed(Position length, Position write, const Clock* past) {
  for_each_dependent(*frame_, length, write, first_, marks_, ++mark_, [](Position, bool) {});
  for (unsigned t = 0; t < frame_->width; ++t)
    if (first_[t] <= past[t]) return false;
  return true;
}

void Races::revisit(const Candidate& candidate, Position length, Position target, const Clock* past,
                    Foreseen foreseen) {
  const Reader reader{candidate.thread, candidate.object, frame_->nodes[target].previous, past};
  if (foreseen == Foreseen::shares && is_out_of_turn(*frame_, {}, reader)) return;
  if (foreseen == Foreseen::writes && frame_->nodes[target].effect == Effect::read)
    return revisit_after_readers(candidate, length, target, last_, past);
  revisit_with(candidate, length, target, past);
}

/// Readers that came after the target may stay before a writer, or be dropped with the target: both for each of them.
void Races::revisit_after_readers(const Candidate& candidate, Position length, Position target, Position from,
                                  const Clock* past) {
  for (Position i = from; i != nowhere; i = frame_->nodes[i].previous) {
    const Node& node = frame_->nodes[i];
    const bool dropped = node.stamp > frame_->nodes[target].stamp && !knows(past, node);
    if (node.effect == Effect::write && !dropped) break;
    if (!node.shares || node.stamp <= frame_->nodes[target].stamp || knows(past, node)) continue;
    if (knows(frame_->row(i), frame_->nodes[target])) continue;
    revisit_after_readers(candidate, length, target, node.previous, past);
    std::vector<Clock> with(past, past + frame_->width);
    join_clocks(with.data(), frame_->row(i), frame_->width);
    revisit_after_readers(candidate, length, target, node.previous, with.data());
    return;
  }
  revisit_with(candidate, length, target, past);
}

void Races::revisit_with(const Candidate& candidate, Position length, Position target, const Clock* past) {
  const bool waits = candidate.op == Op::rwlock_write && !readers_ordered_;
  if (!waits && !may_drop_from(target, length, past)) return;
  const std::uint32_t row = keep(past);
  Clock* needs = &frame_->pasts[std::size_t{row} * frame_->width];
  if (waits && (!wait_for_readers(needs, target) || needs_dropped_reader(needs, target, past) ||
                !may_drop_from(target, length, needs))) {
    frame_->pasts.resize(frame_->pasts.size() - frame_->width);
    return;
  }
  const bool expiry = candidate.op == Op::condition_timed_sleep || candidate.op == Op::address_timed_sleep;
  frame_->children.push_back(
      {Child::Kind::revisit, candidate.thread, expires, !expiry, length, target, row, frame_->next_stamp});
  frame_->children.back().needs = row;
  frame_->children.back().object = candidate.object;
  frame_->children.back().expires = expiry;
  const Node* write = kept_write_before(target, needs);
  frame_->children.back().history = history_after(candidate, write);
  // What it sees is known if nothing is dropped that wrote before the target.
  const Node& overtaken = frame_->nodes[target];
  if (write != frame_->write_before(target) || !is_on_atomic(overtaken.op)) return;
  frame_->children.back().whereabouts = candidate.whereabouts;
  frame_->children.back().sees = overtaken.before;
}

/// The receiver at `target` takes another message, which is sent by whoever has this causal past.
void Races::receive_instead(Position length, Position target, std::uint16_t alternative, const Clock* past) {
  const Node& node = frame_->nodes[target];
  if (!may_drop_from(target, length, past)) return;
  const std::uint32_t row = keep(past);
  frame_->children.push_back(
      {Child::Kind::revisit, node.thread, alternative, false, length, target, row, frame_->next_stamp});
  frame_->children.back().needs = row;
  frame_->children.back().object = node.object;
}

/// Whether a graph may go without what was added since `target`, unless it belongs to the past of who is added instead.
bool Races::may_drop_from(Position target, Position length, const Clock* past) {
  return frame_->nodes[target].stamp > latest_choice_unknown_to(past) &&
         !drops_read_before_kept_write(length, target, past);
}

/// The last write on the object before `target` that is still there when it is revisited.
const Node* Races::kept_write_before(Position target, const Clock* needs) const {
  for (const Node* write = frame_->write_before(target); write != nullptr;) {
    if (write->stamp < frame_->nodes[target].stamp || knows(needs, *write)) return write;
    write = write->previous_write == nowhere ? nullptr : &frame_->nodes[write->previous_write];
  }
  return nullptr;
}

/// Adds to what a writer needs that the readers before it give the lock back. False if it would come after `target`, or
/// if they never do.
bool Races::wait_for_readers(Clock* past, Position target) {
  const std::uint32_t until = frame_->nodes[target].stamp;
  bool again = true;
  while (again) {
    again = false;
    for (Position i = last_; i != nowhere; i = frame_->nodes[i].previous) {
      const Node& node = frame_->nodes[i];
      if (node.effect == Effect::write && node.stamp < until) break;
      if (!node.shares || (node.stamp >= until && !knows(past, node))) continue;
      if (node.release == no_row) return false;
      const Clock* release = &frame_->releases[std::size_t{node.release} * frame_->width];
      for (unsigned t = 0; t < frame_->width; ++t) {
        again |= release[t] > past[t];
        past[t] = std::max(past[t], release[t]);
      }
    }
  }
  return !knows(past, frame_->nodes[target]);
}

/// Whether the readers before a writer give the lock back only after others have come that are to be dropped. With
/// these others it is a graph that is derived as well.
bool Races::needs_dropped_reader(const Clock* needs, Position target, const Clock* past) const {
  for (Position i = last_; i != nowhere; i = frame_->nodes[i].previous) {
    const Node& node = frame_->nodes[i];
    if (node.shares && node.stamp > frame_->nodes[target].stamp && knows(needs, node) && !knows(past, node))
      return true;
  }
  return false;
}

void Races::set_flag(std::uint32_t object) {
  if (object >= marks_.size()) marks_.resize(object + 1U, 0);
  marks_[object] = mark_;
}

/// Whether a read would be dropped that comes before a write that stays: that write should have revisited the read.
/// What was added after the target can come before it in the linearization: a read that is placed before the target
/// takes along what does not depend on the target.
bool Races::drops_read_before_kept_write(Position length, Position target, const Clock* past) {
  const std::uint32_t from = frame_->nodes[target].stamp;
  ++mark_;
  for (Position i = 0; i < length; ++i) {
    const Node& node = frame_->nodes[i];
    const bool kept = node.stamp < from || knows(past, node);
    if (!kept && node.effect == Effect::read) set_flag(node.object);
    if (kept && node.effect == Effect::write && has_flag(node.object)) return true;
  }
  return false;
}

}  // namespace norn::dpor
