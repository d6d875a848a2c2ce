#include "explore/dpor/causality.hpp"

#include <algorithm>

namespace norn::dpor {

void Causality::begin(Frame& frame) {
  ++run_;
  frame_ = &frame;
  frame.rows.clear();
  frame.releases.clear();
  threads_.assign(std::size_t{frame.width} * frame.width, 0);
  counts_.assign(frame.width, 0);
}

Causality::Object& Causality::object(std::uint32_t number) {
  if (number >= objects_.size()) objects_.resize(number + 1U);
  Object& entry = objects_[number];
  if (entry.run != run_) {
    entry = {};
    entry.run = run_;
  }
  return entry;
}

void Causality::join(Clock* into, const Clock* from) const {
  for (unsigned i = 0; i < frame_->width; ++i) into[i] = std::max(into[i], from[i]);
}

void Causality::add(Position i) {
  Node& node = frame_->nodes[i];
  Object& on = object(node.object);
  Clock* row = thread_row(node.thread);
  if (on.last_write != nowhere) join(row, frame_->row(on.last_write));
  if (on.released != no_row) join(row, release_row(on.released));
  if (node.effect == Effect::write) join_shares(row, on);
  row[node.thread] = node.index = ++counts_[node.thread];
  node.release = no_row;
  node.previous = on.last;
  on.last = i;
  if (node.effect == Effect::write) on.last_write = i;
  frame_->rows.insert(frame_->rows.end(), row, row + frame_->width);
}

/// Whoever wants a lock for itself alone comes after all those that shared it, and after they have given it back.
void Causality::join_shares(Clock* row, const Object& on) {
  if (on.shares_released != no_row) join(row, release_row(on.shares_released));
  for (Position i = on.last; i != nowhere && i != on.last_write; i = frame_->nodes[i].previous)
    if (frame_->nodes[i].shares) join(row, frame_->row(i));
}

void Causality::created(ThreadId parent, ThreadId child) {
  std::copy_n(past(parent), frame_->width, thread_row(child));
}

void Causality::joined(ThreadId thread, ThreadId ended) { join(thread_row(thread), past(ended)); }

std::uint32_t Causality::add_release(const Clock* from) {
  const auto row = static_cast<std::uint32_t>(frame_->releases.size() / frame_->width);
  frame_->releases.insert(frame_->releases.end(), from, from + frame_->width);
  return row;
}

void Causality::released(ThreadId thread, std::uint32_t number) {
  Object& on = object(number);
  const std::uint32_t row = add_release(past(thread));
  const auto is_it = [thread](const Node& node) {
    return node.thread == thread && !(node.shares && node.release != no_row);
  };
  Position taken = on.last;
  while (taken != nowhere && !is_it(frame_->nodes[taken])) taken = frame_->nodes[taken].previous;
  if (taken != nowhere) frame_->nodes[taken].release = row;
  if (taken == nowhere || !frame_->nodes[taken].shares) {
    on.released = row;
    on.shares_released = no_row;
    return;
  }
  if (on.shares_released == no_row) {
    on.shares_released = add_release(past(thread));
  } else {
    join(release_row(on.shares_released), past(thread));
  }
}

}  // namespace norn::dpor
