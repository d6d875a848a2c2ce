// Runs that end while threads are still there: what ends them, and what could have come before.

#include "explore/reachability/endings.hpp"

#include <algorithm>

#include "support/hash.hpp"

namespace norn::reachability {
namespace {

/// Numbers that stand for what happened before an event: the same for the same events.
class Pasts {
 public:
  Pasts(std::span<const Event> events, ThreadId width) : threads_(width) {
    for (const Event& event : events) add(event);
  }

  [[nodiscard]] std::uint64_t of(const std::vector<Clock>& past, const Pending& next, Choice choice) const {
    std::uint64_t number = combine(static_cast<std::uint64_t>(next.op), next.argument);
    number = combine(number, std::uint64_t{choice.thread} << 16 | choice.alternative);
    for (std::size_t thread = 0; thread < past.size(); ++thread)
      number = combine(number, past[thread] == 0 ? 0 : threads_[thread][past[thread] - 1]);
    return number;
  }

 private:
  void add(const Event& event) {
    std::uint32_t& changes = changes_of(event.object);
    std::vector<std::uint64_t>& before = threads_[event.thread];
    std::uint64_t number = combine(before.empty() ? 0 : before.back(), static_cast<std::uint64_t>(event.op));
    number = combine(number, reinterpret_cast<std::uintptr_t>(event.object));
    before.push_back(combine(number, std::uint64_t{changes} << 16 | event.alternative));
    if (event.effect == Effect::write) ++changes;
  }

  std::uint32_t& changes_of(const void* object) {
    for (auto& [known, changes] : objects_)
      if (known == object) return changes;
    return objects_.emplace_back(object, 0).second;
  }

  std::vector<std::vector<std::uint64_t>> threads_;  ///< for each: of its events
  std::vector<std::pair<const void*, std::uint32_t>> objects_;
};

/// The choices that there were when the last event was chosen.
std::span<const Choice> last_choices(const Trace& trace) {
  return trace.choices.last(std::min<std::size_t>(trace.choices.size(), trace.events.back().enabled));
}

void join(std::vector<Clock>& into, const Clock* from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

ThreadId failed_thread(const Trace& trace) {
  return trace.outcome->thread == no_thread ? trace.events.back().thread : trace.outcome->thread;
}

/// What a thread was about to do before the last event, which may have woken it.
Pending next_of(const Trace& trace, ThreadId thread) {
  for (const Link& link : trace.links)
    if (link.step == trace.events.size() && link.kind == LinkKind::woke && link.other == thread)
      return {thread, link.op, link.object, 0, true};
  for (const Pending& pending : trace.pending)
    if (pending.thread == thread) return pending;
  return {thread, Op::none, nullptr, 0, true};
}

}  // namespace

bool ended_early(const Trace& trace) {
  const End end = trace.end();
  const bool nobody_could_move = end == End::deadlock || end == End::livelock;
  if (nobody_could_move || end == End::repeats || is_cut(end) || trace.events.empty()) return false;
  return !trace.pending.empty() || end != End::finished || trace.events.back().op == Op::process_exit;
}

/// Whether somebody else could have moved, or what ended the run did not need all that happened.
bool SynSequenceReader::has_ending(const Trace& trace) const {
  if (!ended_early(trace)) return false;
  const ThreadId last = trace.events.back().thread;
  for (const Choice& choice : last_choices(trace))
    if (choice.thread != last) return true;
  const std::vector<Clock>& known = threads_[failed_thread(trace)];
  for (ThreadId thread = 0; thread < sequence_.width; ++thread)
    if (known[thread] < threads_[thread][thread]) return true;
  return false;
}

/// Whether it was the last event alone, and not one of several that somebody has waited for.
bool SynSequenceReader::has_clear_ending(const Trace& trace) const {
  if (sequence_.ending == none) return false;
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

/// The step that ended the run, and all that could have been done instead. Whether that would have ended it, too, is
/// not known here.
void SynSequenceReader::find_endings(const Trace& trace) {
  const Event& last = trace.events.back();
  sequence_.ends_unclearly = !has_clear_ending(trace);
  if (sequence_.ends_unclearly) {
    sequence_.ending = none;
    return;
  }
  const Pasts pasts(trace.events, sequence_.width);
  const auto add = [&](Choice choice, const Pending& next, const std::vector<Clock>& past) {
    Sending s{choice.thread, choice.alternative, next.op, next.argument};
    s.index = past[choice.thread];
    s.structure = keep(past);
    s.port = next.object;
    s.ends = s.is_elsewhere = true;
    sequence_.endings.push_back({{choice.thread, choice.alternative, s.index}, pasts.of(past, next, choice), s});
  };
  const Clock* needed = sequence_.row(sequence_.needed[last.thread].back());
  std::vector<Clock> past(needed, needed + sequence_.width);
  --past[last.thread];
  add({last.thread, last.alternative}, {last.thread, last.op, last.object, last.argument, true}, past);
  for (const Choice& choice : last_choices(trace)) {
    if (choice.thread == last.thread) continue;
    const Pending next = next_of(trace, choice.thread);
    add(choice, next, past_of(trace, choice, next));
  }
}

void SynSequenceReader::add_excluded(const Variant& variant, const Trace& trace, SynSequence& to) {
  sequence_ = std::move(to);
  for (const Step& step : variant.excluded) {
    if (step.thread >= sequence_.width || threads_[step.thread][step.thread] != step.index) continue;
    const Pending next = next_of(trace, step.thread);
    const std::vector<Clock> past = past_of(trace, {step.thread, step.alternative}, next);
    Sending s{step.thread, step.alternative, next.op, next.argument};
    s.index = step.index;
    s.structure = keep(past);
    s.port = next.object;
    s.ends = s.is_elsewhere = true;
    sequence_.endings.push_back({step, 0, s, true});
  }
  to = std::move(sequence_);
}

/// What a step needs that was possible when the last event was chosen.
std::vector<Clock> SynSequenceReader::past_of(const Trace& trace, Choice choice, const Pending& next) {
  std::vector<Clock> past = threads_[choice.thread];
  for (const Link& link : trace.links) {
    if (link.step != trace.events.size() || link.kind != LinkKind::woke || link.other != choice.thread) continue;
    // As it was before it was woken.
    for (const Wait& wait : waits_)
      if (wait.thread == choice.thread)
        past.assign(sequence_.row(wait.structure), sequence_.row(wait.structure) + sequence_.width);
  }
  if (next.op == Op::receive) {
    const auto is_next = [&](bool here) {
      for (std::size_t i = 0; i < sequence_.messages.size(); ++i) {
        const Sending& message = sequence_.messages[i];
        if (received_by_[i] != none || message.sender != sender_of(choice.alternative)) continue;
        if (here && message.port != next.object) continue;
        return &message;
      }
      return static_cast<const Sending*>(nullptr);
    };
    const Sending* message = is_next(true) != nullptr ? is_next(true) : is_next(false);
    if (message != nullptr) join(past, sequence_.row(message->structure));
    return past;
  }
  const Receiving* end = sequence_.ending == none ? nullptr : &sequence_.receiving[sequence_.ending];
  if (end != nullptr && !end->is_message && end->object == next.object) {
    join(past, sequence_.row(end->structure));
  } else {
    const Object& on = object(next.object);
    join(past, on.clock.data());
    if (!on.read.empty()) join(past, on.read.data());
  }
  return past;
}

Cuts::Cuts(const SynSequence& sequence, const std::vector<Clock>& black, const Trace& trace) {
  const Event& end = trace.events.back();
  for (const auto& needed : sequence.needed) all_.push_back(static_cast<Clock>(needed.size()));
  --all_[end.thread];
  const Clock* needed = sequence.row(sequence.needed[end.thread].back());
  least_.assign(needed, needed + sequence.width);
  --least_[end.thread];
  for (std::size_t i = 0; i < least_.size(); ++i) least_[i] = std::min(std::max(least_[i], black[i]), all_[i]);
  for (std::size_t i = 0; i < least_.size(); ++i)
    if (least_[i] != 0) join(least_, sequence.row(sequence.needed[i][least_[i] - 1]));
  cut_ = least_;
  for (const Event& event : trace.events) {
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
      join(cut, sequence.row(sequence.needed[i][cut_[i] - (i == thread ? 0 : 1)]));
  if (!std::equal(cut.begin(), cut.begin() + static_cast<std::ptrdiff_t>(thread), cut_.begin())) return false;
  cut_ = std::move(cut);
  return true;
}

Prefix Cuts::schedule() const {
  Prefix schedule;
  std::vector<Clock> seen(cut_.size(), 0);
  for (std::size_t i = 0; i < threads_.size(); ++i)
    if (seen[threads_[i]]++ < cut_[threads_[i]] || i + 1 == threads_.size())
      schedule.push_back({threads_[i], alternatives_[i]});
  return schedule;
}

Step step_of(const SynSequence& sequence, const Change& change) {
  const Receiving& r = sequence.receiving[change.receiving];
  const Sending* s = Changes::new_partner(sequence, change);
  if (s == nullptr || (r.is_on_thread() && !s->is_elsewhere)) return {r.thread, 0, r.index};
  return {s->sender, s->alternative, s->index};
}

std::vector<Change> with_one_end(SynSequence& sequence, std::vector<Change> row) {
  const auto ends = [&](const Change& change) {
    const Sending* s = Changes::new_partner(sequence, change);
    return s != nullptr && s->ends;
  };
  const auto end = std::find_if(row.begin(), row.end(), ends);
  if (end == row.end()) return row;
  if (std::any_of(end + 1, row.end(), ends)) return {};
  const bool leaves_other = sequence.ending != none && Changes{row, {}, {}}.leave(sequence, sequence.ending);
  if (leaves_other && sequence.receiving[sequence.ending].is_black) return {};
  if (leaves_other) row.push_back({sequence.ending, none});
  return row;
}

}  // namespace norn::reachability
