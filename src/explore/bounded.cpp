// Depth-first search with a bound on preemptions: M. Musuvathi, S. Qadeer, "Iterative context bounding for systematic
// testing of multithreaded programs", PLDI 2007.
//
// After its prefix a run never preempts, so all preemptions of a run are in the prefix, and each run differs from the
// one it was derived from in the last choice of its prefix. Which of several alternatives a thread takes is no
// preemption, and neither is a change of thread where the last one cannot go on; these cost nothing.

#include "explore/bounded.hpp"

#include "explore/path.hpp"
#include "explore/preemption.hpp"
#include "support/archive.hpp"

namespace norn {

bool BoundedSearch::next(Prefix& prefix) {
  if (!started_) {
    started_ = true;
    prefix.clear();
    return true;
  }
  while (!path_.empty() && (path_.back().untried == 0 || path_.size() > most_events_)) drop_last();
  if (path_.empty() && !begin_piece()) return false;
  take_next_sibling();
  prefix.assign(prefix_.begin(), prefix_.end());
  return true;
}

std::size_t BoundedSearch::choose(const FreeChoice& at) {
  return at.step < most_events_ ? without_preemption(at) : at.enabled.size();
}

void BoundedSearch::learn(const Trace& trace) {
  auto choices = trace.choices;
  ThreadId last = trace.prefix == 0 ? no_thread : trace.events[trace.prefix - 1].thread;
  for (const Event& event : trace.events.subspan(trace.prefix)) {
    add({event.thread, event.alternative}, last, choices.first(event.enabled));
    last = event.thread;
    choices = choices.subspan(event.enabled);
  }
  if (!path_.empty()) path_.back().done.add(1);
}

void BoundedSearch::add(Choice chosen, ThreadId last, std::span<const Choice> enabled) {
  const auto first = static_cast<std::uint32_t>(siblings_.size());
  const bool could_go_on = can_move(last, enabled);
  // In reverse, so that the next one to try is always the last of siblings_.
  for (std::size_t i = enabled.size(); i-- > 0;) {
    if (enabled[i] == chosen) continue;
    if (preemptions_ == bound_ && could_go_on && enabled[i].thread != last)
      pruned_ = true;
    else
      siblings_.push_back(enabled[i]);
  }
  prefix_.push_back(chosen);
  path_.push_back(
      {first, static_cast<std::uint32_t>(siblings_.size()) - first, preemptions_, could_go_on ? last : no_thread, {}});
}

void BoundedSearch::drop_last() {
  const Branches done = path_.back().done;
  siblings_.resize(path_.back().siblings);
  path_.pop_back();
  prefix_.pop_back();
  done.tell(variety_);
  if (!path_.empty()) path_.back().done.add(done.runs());
}

std::vector<Piece> BoundedSearch::pieces() const {
  if (!started_) return {{}};
  std::vector<Piece> pieces = waiting_;
  const std::vector<Size> sizes = sizes_left(path_, variety_);
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const Node& node = path_[i];
    const std::span<const Choice> siblings = std::span(siblings_).subspan(node.siblings, node.untried);
    // The first one can be divided.
    const std::size_t half = pieces.empty() ? siblings.size() / 2 : 0;
    for (const auto part : {siblings.first(half), siblings.subspan(half)}) {
      if (part.empty()) continue;
      Work work{{prefix_.begin(), prefix_.begin() + static_cast<std::ptrdiff_t>(i)},
                {part.begin(), part.end()},
                node.preemptions,
                node.last};
      pieces.push_back({pack(work), sizes[i] * (static_cast<double>(part.size()) / node.untried)});
    }
  }
  return pieces;
}

void BoundedSearch::take_over(std::span<const Piece> pieces) {
  path_.clear();
  prefix_.clear();
  siblings_.clear();
  preemptions_ = 0;
  waiting_.assign(pieces.begin(), pieces.end());
  started_ = pieces.size() != 1 || !pieces.front().work.empty();
  if (!started_) waiting_.clear();
}

bool BoundedSearch::begin_piece() {
  if (waiting_.empty()) return false;
  Work work = unpack<Work>(waiting_.back().work);
  waiting_.pop_back();
  path_.assign(work.prefix.size(), {0, 0, 0, no_thread, {}});
  path_.push_back({0, static_cast<std::uint32_t>(work.siblings.size()), work.preemptions, work.last, {}});
  prefix_ = std::move(work.prefix);
  prefix_.emplace_back();
  siblings_ = std::move(work.siblings);
  return true;
}

void BoundedSearch::take_next_sibling() {
  Node& node = path_.back();
  --node.untried;
  prefix_.back() = siblings_.back();
  siblings_.pop_back();
  preemptions_ = node.preemptions + (node.last != no_thread && prefix_.back().thread != node.last);
}

}  // namespace norn
