// Runs that end before all threads do: what ends them comes last, and every part of such a run is one as well.

#include <algorithm>

#include "explore/reachability/reachability.hpp"

namespace norn::reachability {

bool Reachability::is_suspicious(Choice choice) const {
  if (frames_.empty()) return false;
  const std::vector<Ending>& suspects = frames_.back().suspects;
  return std::any_of(suspects.begin(), suspects.end(), [&](const Ending& one) {
    return one.thread == choice.thread && one.index == run_.events_of(choice.thread);
  });
}

bool Reachability::must_run_again(const Trace& trace) {
  const std::size_t intruder = find_intruder(variant_, releases_, trace.events);
  if (intruder != trace.events.size()) return avoid(trace, intruder);
  if (!sequence_.end) return false;
  const Ending& end = *sequence_.end;
  if (variant_.end && variant_.end->thread == end.thread && variant_.end->index == end.index) return false;
  if (changes_the_end(end)) return true;
  if (attempt_.has_found(end)) return variant_.end.has_value();
  attempt_.find(end);
  variant_.watch(end);
  if (!variant_.end && !could_go_on(trace)) return false;
  return run_again(trace, trace.events.size() - 1);
}

/// Unless the variant says that it happens: then it is not possible.
bool Reachability::avoid(const Trace& trace, std::size_t at) {
  const Event& event = trace.events[at];
  follow(trace.events.first(at));
  const std::uint32_t index = run_.events_of(event.thread);
  const Variant::OnObject* on = variant_.find(event.object);
  const auto is_it = [&](const Variant::Look& look) { return look.thread == event.thread && look.index == index; };
  if (std::any_of(on->looks.begin(), on->looks.end(), is_it)) return true;
  attempt_.avoid({event.thread, event.alternative, index, event.object, variant_.end->order});
  return run_again(trace, at);
}

/// With the same beginning. The first run is the only variant of a sequence in which nothing has happened.
bool Reachability::run_again(const Trace& trace, std::size_t events) {
  attempt_.go_back(trace, events);
  if (frames_.empty()) {
    frames_.emplace_back().seed = seed_;
    frames_.back().releases = releases_;
  }
  Frame& frame = frames_.back();
  frame.variants.push_back(changes_);
  frame.attempt = std::move(attempt_);
  if (frame.exercised != 0) --frame.exercised;
  attempt_ = {};
  return true;
}

bool Reachability::changes_the_end(const Ending& end) {
  if (frames_.empty()) return false;
  Frame& frame = frames_.back();
  for (const Change& change : frame.changed) {
    Receiving& r = frame.sequence.receiving[change.receiving];
    Sending& s = r.race_set[change.race];
    const Ending step = step_of(r, s);
    if (step.thread != end.thread || step.index != end.index || s.ends) continue;
    s.ends = true;
    find_variants(frame);
    return true;
  }
  return false;
}

bool Reachability::could_go_on(const Trace& trace) {
  follow(trace.events.first(trace.events.size() - 1));
  for (const Choice& choice : choices_besides_last(trace)) {
    if (attempt_.forbids(variant_, run_, choice)) continue;
    const Pending next = pending_before_last(trace, choice.thread);
    // Which ports are open is not known here.
    if (next.op == Op::receive || run_.allows(choice, {next.op, next.object, nullptr, next.argument})) return true;
  }
  return false;
}

void Reachability::note_suspects(Frame& frame) const {
  if (!frames_.empty()) frame.suspects = frames_.back().suspects;
  for (const Ending& ending : attempt_.found()) {
    const auto is_it = [&](const Ending& one) { return one.thread == ending.thread && one.index == ending.index; };
    if (std::none_of(frame.suspects.begin(), frame.suspects.end(), is_it))
      frame.suspects.push_back({ending.thread, 0, ending.index});
  }
}

void Reachability::note_endings(SynSequence& sequence) const {
  const auto note = [&](Ending ending, bool is_new) {
    ending.past.resize(sequence.width, 0);
    ending.is_new = is_new;
    if (run_.is_at(ending, ending.thread)) return sequence.endings.push_back(ending);
    for (Receiving& r : sequence.receiving)
      for (Sending& s : r.race_set) s.ends |= step_of(r, s).is_same(ending);
  };
  for (const Ending& ending : variant_.endings) note(ending, false);
  for (const Ending& ending : attempt_.found()) note(ending, !variant_.end);
}

/// The run of a sequence that can end in several ways is also the run of its longest variant with this end. From
/// there only cuts follow: all the rest is old.
void Reachability::push(Frame frame, std::span<const Event> events) {
  std::optional<Frame> ended;
  if (frame.sequence.end && !variant_.end) {
    ended.emplace();
    ended->releases = frame.releases;
    ended->sequence = frame.sequence;
    ended->number = frame.number;
    const Ending end = *frame.sequence.end;
    frame.sequence.end.reset();
    for (const Changes& changes : with_ends(frame.sequence, {}))
      if (t_ == 0 && !frame.sequence.endings[changes.end].is_same(end)) frame.variants.push_back(changes);
  }
  if (frame.sequence.end && t_ == 0) frame.cuts = Cuts(frame.sequence, black_of(frame.sequence), events);
  if (ended && t_ == 0) ended->cuts = Cuts(ended->sequence, black_of(ended->sequence), events);
  if (!frame.heading.empty() || !frame.variants.empty() || frame.sequence.end) frames_.push_back(std::move(frame));
  if (ended) frames_.push_back(std::move(*ended));
}

std::vector<Clock> Reachability::black_of(const SynSequence& sequence) const {
  std::vector<Clock> black(sequence.width, 0);
  for (ThreadId thread = 0; thread < sequence.width; ++thread) black[thread] = variant_.of(thread).black;
  for (const Receiving& r : sequence.receiving)
    if (r.is_black) black[r.thread] = std::max(black[r.thread], r.index + 1);
  return black;
}

}  // namespace norn::reachability
