#include <algorithm>

#include "explore/reachability/variant.hpp"

namespace norn::reachability {

const Sending* Changes::new_partner(const SynSequence& sequence, const Change& change) {
  return change.race == none ? nullptr : &sequence.receiving[change.receiving].race_set[change.race];
}

const Change* Changes::find(std::uint32_t receiving) const {
  const auto is_it = [receiving](const Change& change) { return change.receiving == receiving; };
  const auto found = std::find_if(changes.begin(), changes.end(), is_it);
  return found == changes.end() ? nullptr : &*found;
}

bool Changes::keep(const SynSequence& sequence, const Clock* past) const {
  const auto has = [past](ThreadId thread, std::uint32_t index) { return past[thread] > index; };
  return std::none_of(changes.begin(), changes.end(), [&](const Change& change) {
    const Receiving& r = sequence.receiving[change.receiving];
    if (has(r.thread, r.index)) return true;
    // The new partner may have looked at another state before.
    const Sending* s = new_partner(sequence, change);
    return s != nullptr && !r.is_on_thread() && has(s->sender, s->index);
  });
}

bool Changes::move(const SynSequence& sequence, const Receiving& r) const {
  return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
    const Receiving& changed = sequence.receiving[change.receiving];
    if (changed.is_look && changed.thread == r.thread && changed.index == r.index) return true;
    const Sending* s = new_partner(sequence, change);
    return s != nullptr && !changed.is_on_thread() && s->sender == r.thread && s->index == r.index;
  });
}

bool Changes::leave(const SynSequence& sequence, std::uint32_t receiving) const {
  const Receiving& r = sequence.receiving[receiving];
  if (r.partner.structure == none) return false;
  return find(receiving) == nullptr && keep(sequence, r.structure) && keep(sequence, r.partner.structure) &&
         !move(sequence, r);
}

std::vector<Clock> Changes::past(const SynSequence& sequence) const {
  std::vector<Clock> past(sequence.width, 0);
  const auto add_all = [&](const Clock* row) {
    for (unsigned i = 0; i < sequence.width; ++i) past[i] = std::max(past[i], row[i]);
  };
  const auto add = [&](Row row) { add_all(sequence.row(row)); };
  const auto add_event = [&](ThreadId thread, std::uint32_t index) {
    past[thread] = std::max(past[thread], index + 1);
  };
  for (const Change& change : changes) {
    const Receiving& r = sequence.receiving[change.receiving];
    const Sending* s = new_partner(sequence, change);
    if (s == nullptr) continue;
    add(r.structure);
    add(s->structure);
    if (r.is_on_thread()) {
      add_event(r.thread, r.index);
    } else {
      add_event(s->sender, s->index);
    }
  }
  for (const std::uint32_t i : fixed) {
    const Receiving& r = sequence.receiving[i];
    add(r.structure);
    add(r.partner.structure);
    add_event(r.thread, r.index);
  }
  const auto add_end = [&](const Ending& ending) {
    add_all(ending.past.data());
    add_event(ending.thread, ending.index);
  };
  if (sequence.end) add_end(*sequence.end);
  if (end != none) add_end(sequence.endings[end]);
  return past;
}

}  // namespace norn::reachability
