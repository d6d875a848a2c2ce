#include "explore/dpor/causality.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace norn::dpor {
namespace {

/// As many as fit into one register of the processor.
using Clocks = std::array<Clock, clocks_at_a_time>;

Clocks clocks_at(const Clock* row) {
  Clocks clocks;
  std::memcpy(clocks.data(), row, sizeof clocks);
  return clocks;
}

}  // namespace

void Causality::begin(Frame& frame, std::size_t events, std::size_t links) {
  ++run_;
  frame_ = &frame;
  releases_ = 0;
  frame.rows.resize(events * frame.width);
  frame.releases.resize(links * frame.width);
  threads_.assign(std::size_t{frame.width} * frame.width, 0);
  counts_.assign(frame.width, 0);
  messages_.clear();
  bounded_ports_.clear();
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
  for (unsigned i = 0; i < frame_->width; i += clocks_at_a_time) {
    Clocks mine = clocks_at(into + i);
    const Clocks others = clocks_at(from + i);
    for (unsigned k = 0; k < clocks_at_a_time; ++k) mine[k] = std::max(mine[k], others[k]);
    std::memcpy(into + i, mine.data(), sizeof mine);
  }
}

Clock* Causality::room(std::vector<Clock>& rows, std::size_t nth) const {
  const std::size_t end = (nth + 1) * frame_->width;
  if (rows.size() < end) rows.resize(end);
  return &rows[end - frame_->width];
}

void Causality::copy(const Clock* from, Clock* to) const {
  for (unsigned i = 0; i < frame_->width; i += clocks_at_a_time) {
    const Clocks clocks = clocks_at(from + i);
    std::memcpy(to + i, clocks.data(), sizeof clocks);
  }
}

void Causality::add(Position i) {
  Node& node = frame_->nodes[i];
  Object& on = object(node.object);
  Clock* row = thread_row(node.thread);
  if (on.released != no_row) join(row, release_row(on.released));
  if (on.last_write != nowhere && !knows(row, frame_->nodes[on.last_write])) join(row, frame_->row(on.last_write));
  if (node.effect == Effect::write) join_shares(row, on);
  if (node.op == Op::receive) receive(node, row);
  row[node.thread] = node.index = ++counts_[node.thread];
  node.release = no_row;
  node.previous = on.last;
  on.last = i;
  if (node.effect == Effect::write) on.last_write = i;
  copy(row, room(frame_->rows, i));
}

Causality::BoundedPort& Causality::bounded_port(std::uint32_t number) {
  for (BoundedPort& port : bounded_ports_)
    if (port.number == number) return port;
  return bounded_ports_.emplace_back(BoundedPort{number, {}, {}});
}

void Causality::know(Position i, std::uint32_t row) {
  join(&frame_->rows[std::size_t{i} * frame_->width], release_row(row));
  join(thread_row(frame_->nodes[i].thread), release_row(row));
}

/// If the port was full before, a message has been taken since.
void Causality::deposited(Position i, std::uint32_t number) {
  BoundedPort& port = bounded_port(number);
  const std::uint64_t capacity = frame_->nodes[i].argument;
  if (port.deposits.size() >= capacity) know(i, port.withdrawals[port.deposits.size() - capacity]);
  port.deposits.push_back(add_release(past(frame_->nodes[i].thread)));
}

void Causality::withdrew(Position i, std::uint32_t number) {
  BoundedPort& port = bounded_port(number);
  know(i, port.deposits[port.withdrawals.size()]);
  port.withdrawals.push_back(add_release(past(frame_->nodes[i].thread)));
}

std::ptrdiff_t Causality::messages(ThreadId sender, std::uint32_t port) const {
  return std::count_if(messages_.begin(), messages_.end(),
                       [&](const Message& message) { return message.port == port && message.sender == sender; });
}

const Clock* Causality::past_of_message(ThreadId sender, std::uint32_t port) const {
  const auto message = std::find_if(messages_.begin(), messages_.end(),
                                    [&](const Message& one) { return one.port == port && one.sender == sender; });
  return &frame_->releases[std::size_t{message->past} * frame_->width];
}

/// Whoever receives a message knows what was done before it was sent. Those of one thread come in order.
void Causality::receive(const Node& node, Clock* row) {
  const auto is_it = [&node](const Message& message) {
    return message.port == node.object && message.sender == sender_of(node.alternative);
  };
  const auto message = std::find_if(messages_.begin(), messages_.end(), is_it);
  if (message == messages_.end()) return;
  join(row, release_row(message->past));
  messages_.erase(message);
}

/// Whoever wants a lock for itself alone comes after all those that shared it, and after they have given it back.
void Causality::join_shares(Clock* row, const Object& on) {
  if (on.shares_released != no_row) join(row, release_row(on.shares_released));
  for (Position i = on.last; i != nowhere && i != on.last_write; i = frame_->nodes[i].previous)
    if (frame_->nodes[i].shares) join(row, frame_->row(i));
}

void Causality::created(ThreadId parent, ThreadId child) { copy(past(parent), thread_row(child)); }

void Causality::joined(ThreadId thread, ThreadId ended) { join(thread_row(thread), past(ended)); }

std::uint32_t Causality::add_release(const Clock* from) {
  copy(from, room(frame_->releases, releases_));
  return releases_++;
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
