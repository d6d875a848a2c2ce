// Runs that end while threads are still there: what ends them, and what could have come before.

#include "explore/reachability/endings.hpp"

#include <algorithm>

namespace norn::reachability {
namespace {

void join_past(std::vector<Clock>& into, const Clock* from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

ThreadId failed_thread(const Trace& trace) {
  return trace.outcome->thread == no_thread ? trace.events.back().thread : trace.outcome->thread;
}

/// Whether it matters what others did to the object before.
bool is_ordered(const Event& event) {
  return event.op != Op::barrier_meet && event.op != Op::withdraw && event.op != Op::yield && event.op != Op::receive;
}

}  // namespace

bool ended_early(const Trace& trace) {
  const End end = trace.end();
  const bool nobody_could_move = end == End::deadlock || end == End::livelock;
  if (nobody_could_move || end == End::repeats || is_cut(end) || trace.events.empty()) return false;
  return !trace.pending.empty() || end != End::finished || trace.events.back().op == Op::process_exit;
}

std::vector<Choice> choices_besides_last(const Trace& trace) {
  const Event& last = trace.events.back();
  const auto all = trace.choices.last(std::min<std::size_t>(trace.choices.size(), last.enabled));
  std::vector<Choice> others;
  for (const Choice& choice : all)
    if (choice.thread != last.thread || choice.alternative != last.alternative) others.push_back(choice);
  return others;
}

Pending pending_before_last(const Trace& trace, ThreadId thread) {
  const Event& last = trace.events.back();
  if (thread == last.thread) return {thread, last.op, last.object, last.argument, true};
  for (const Link& link : trace.links)
    if (link.step == trace.events.size() && link.kind == LinkKind::woke && link.other == thread)
      return {thread, link.op, link.object, 0, true};
  for (const Pending& pending : trace.pending)
    if (pending.thread == thread) return pending;
  return {thread, Op::none, nullptr, 0, true};
}

/// Whether somebody else could have moved, or what ended the run did not need all that happened.
bool SynSequenceReader::has_ending(const Trace& trace) const {
  const ThreadId last = trace.events.back().thread;
  for (const Choice& choice : choices_besides_last(trace))
    if (choice.thread != last) return true;
  const std::vector<Clock>& known = threads_[failed_thread(trace)];
  for (ThreadId thread = 0; thread < sequence_.width; ++thread)
    if (known[thread] < threads_[thread][thread]) return true;
  return false;
}

/// Whether it was the last event alone, and not one of several that somebody has waited for.
bool SynSequenceReader::has_clear_ending(const Trace& trace) const {
  const Clock* needed = sequence_.row(sequence_.needed[trace.events.back().thread].back());
  const std::vector<Clock>& known = threads_[failed_thread(trace)];
  for (ThreadId thread = 0; thread < sequence_.width; ++thread)
    if (known[thread] > needed[thread]) return false;
  return true;
}

void SynSequenceReader::note_needs(const Event& event, bool ends_step) {
  std::vector<Row>& needed = sequence_.needed[event.thread];
  needed.push_back(keep(threads_[event.thread]));
  if (ends_step) needed[needed.size() - 2] = needed.back();
}

/// The trace as it was before the last event, which ended the run.
Trace SynSequenceReader::without_end(const Trace& trace) {
  Trace before = trace;
  const std::size_t left = trace.events.size() - 1;
  before.events = trace.events.first(left);
  while (!before.links.empty() && before.links.back().step > left)
    before.links = before.links.first(before.links.size() - 1);
  std::vector<bool> is_there(width_of(before), false);
  pending_.clear();
  const auto add = [&](ThreadId thread) {
    if (thread >= is_there.size() || is_there[thread]) return;
    is_there[thread] = true;
    pending_.push_back(pending_before_last(trace, thread));
  };
  add(trace.events.back().thread);
  for (const Link& link : trace.links.subspan(before.links.size()))
    if (link.kind == LinkKind::woke) add(link.other);
  for (const Pending& pending : trace.pending) add(pending.thread);
  before.pending = pending_;
  return before;
}

void SynSequenceReader::note_end(const Event& event, std::vector<Clock> past) {
  Ending& end = sequence_.end.emplace();
  end.thread = event.thread;
  end.alternative = event.alternative;
  end.index = past[event.thread];
  end.past = std::move(past);
  end.past.resize(sequence_.width, 0);
  end.is_new = true;
  if (!is_ordered(event)) return;
  end.object = event.object;
  for (const Object& object : objects_)
    if (object.address == event.object) end.order = static_cast<std::uint32_t>(object.receiving.size());
}

Cuts::Cuts(const SynSequence& sequence, const std::vector<Clock>& black, std::span<const Event> events) {
  for (const auto& needed : sequence.needed) all_.push_back(static_cast<Clock>(needed.size()));
  least_ = sequence.end->past;
  for (std::size_t i = 0; i < least_.size(); ++i) least_[i] = std::min(std::max(least_[i], black[i]), all_[i]);
  for (std::size_t i = 0; i < least_.size(); ++i)
    if (least_[i] != 0) join_past(least_, sequence.row(sequence.needed[i][least_[i] - 1]));
  cut_ = least_;
  for (const Event& event : events) {
    threads_.push_back(event.thread);
    alternatives_.push_back(event.alternative);
  }
}

/// In lexical order. The last one is the whole sequence, which has been exercised.
bool Cuts::next(const SynSequence& sequence) {
  if (cut_ == all_) return false;
  if (!begun_) return begun_ = true;
  for (std::size_t thread = cut_.size(); thread-- > 0;)
    if (increment(sequence, thread)) return cut_ != all_;
  return false;
}

/// One more event of this thread, as many of those before it, and as few as possible of those after it.
bool Cuts::increment(const SynSequence& sequence, std::size_t thread) {
  if (cut_[thread] == all_[thread]) return false;
  std::vector<Clock> cut = least_;
  std::copy_n(cut_.begin(), thread + 1, cut.begin());
  ++cut[thread];
  for (std::size_t i = 0; i <= thread; ++i)
    if (cut_[i] + (i == thread ? 1 : 0) != 0)
      join_past(cut, sequence.row(sequence.needed[i][cut_[i] - (i == thread ? 0 : 1)]));
  if (!std::equal(cut.begin(), cut.begin() + static_cast<std::ptrdiff_t>(thread), cut_.begin())) return false;
  cut_ = std::move(cut);
  return true;
}

Prefix Cuts::schedule(const SynSequence& sequence) const {
  Prefix schedule;
  std::vector<Clock> seen(cut_.size(), 0);
  for (std::size_t i = 0; i < threads_.size(); ++i)
    if (seen[threads_[i]]++ < cut_[threads_[i]]) schedule.push_back({threads_[i], alternatives_[i]});
  schedule.push_back({sequence.end->thread, sequence.end->alternative});
  return schedule;
}

Ending step_of(const Receiving& r, const Sending& s) {
  if (r.is_message) return {r.thread, s.alternative, r.index};
  if (r.is_look) return {r.thread, s.alternative, r.index, r.object, s.order};
  return {s.sender, s.alternative, s.index, r.object, r.order};
}

std::vector<Changes> with_ends(const SynSequence& sequence, const Changes& changes) {
  std::vector<Changes> variants;
  for (std::uint32_t end = 0; end < sequence.endings.size(); ++end) {
    const Ending& ending = sequence.endings[end];
    // All that it needs is there, and it is no change elsewhere.
    std::vector<Clock> past = ending.past;
    ++past[ending.thread];
    if (!ending.is_new || !changes.keep(sequence, past.data())) continue;
    variants.push_back(changes);
    variants.back().end = end;
  }
  return variants;
}

std::optional<std::vector<Change>> with_one_end(const SynSequence& sequence, std::vector<Change> row) {
  const auto ends = [&](const Change& change) {
    const Sending* s = Changes::new_partner(sequence, change);
    return s != nullptr && s->ends;
  };
  const auto end = std::find_if(row.begin(), row.end(), ends);
  if (end == row.end()) return row;
  if (sequence.end || std::any_of(end + 1, row.end(), ends)) return std::nullopt;
  const Receiving& r = sequence.receiving[end->receiving];
  if (!r.is_look) return row;
  // What it sees stays as it is, so the next change of the object goes.
  const States& on = sequence.states_of(r.object);
  const std::uint32_t order = Changes::new_partner(sequence, *end)->order;
  if (order == on.receiving.size()) return row;
  const std::uint32_t next = on.receiving[order];
  const auto is_changed = [&](std::uint32_t i) { return Changes{row, {}, {}}.find(i) != nullptr; };
  if (is_changed(next) || sequence.receiving[next].is_black) return std::nullopt;
  row.push_back({next, none});
  // And with it whatever is the same step.
  if (next == 0 || !are_one_step(sequence.receiving[next - 1], sequence.receiving[next])) return row;
  const Receiving& wait = sequence.receiving[next - 1];
  if (wait.is_black) return std::nullopt;
  const bool is_there = Changes{row, {}, {}}.keep(sequence, wait.structure);
  if (is_there && !is_changed(next - 1)) row.push_back({next - 1, none});
  return row;
}

bool has_end(const SynSequence& sequence, const std::vector<Change>& row) {
  return std::any_of(row.begin(), row.end(), [&](const Change& change) {
    const Sending* s = Changes::new_partner(sequence, change);
    return s != nullptr && s->ends;
  });
}

}  // namespace norn::reachability
