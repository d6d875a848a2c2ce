#include "explore/dpor/causality.hpp"

#include <algorithm>

namespace norn::dpor {

Position Causality::begin(Frame& frame, std::size_t events, std::size_t links, bool may_go_on) {
  const Position common = may_go_on && is_kept_ && can_go_back_ ? common_with(frame) : nowhere;
  frame_ = &frame;
  is_kept_ = false;
  can_go_back_ = may_go_on;
  frame.rows.clear();
  frame.releases.clear();
  known_ = common == nowhere ? 0 : common;
  common == nowhere ? begin_anew(frame.width) : go_back(common);
  // All at once, and not row by row.
  frame.rows.resize(events * frame.width);
  frame.releases.resize(std::max(links * frame.width, frame.releases.size()));
  return common;
}

void Causality::begin_anew(unsigned width) {
  ++run_;
  width_ = width;
  releases_ = 0;
  threads_.assign(std::size_t{width} * width, 0);
  counts_.assign(width, 0);
  messages_.clear();
  bounded_ports_.clear();
  marks_.clear();
  changes_.clear();
  old_rows_.clear();
  old_rows_used_ = 0;
}

/// How many events the frame and the last run begin with; nowhere if there is nothing to go on from.
Position Causality::common_with(const Frame& frame) const {
  if (frame.width != width_ || marks_.empty()) return nowhere;
  const std::size_t most = std::min(marks_.size() - 1, std::size_t{frame.given});
  Position i = 0;
  while (i < most && frame.nodes[i].thread == kept_[i].thread && frame.nodes[i].alternative == kept_[i].alternative)
    ++i;
  return i;
}

void Causality::go_back(Position to) {
  for (std::size_t i = marks_.size(); i-- > to;) --counts_[kept_[i].thread];
  for (; changes_.size() > marks_[to].changes; changes_.pop_back()) take_back(changes_.back());
  releases_ = marks_[to].releases;
  marks_.resize(to);
  frame_->rows.assign(kept_rows_.data(), kept_rows_.data() + std::size_t{to} * width_);
  frame_->releases.assign(kept_releases_.data(), kept_releases_.data() + std::size_t{releases_} * width_);
  for (Position i = 0; i < to; ++i) {
    Node& node = frame_->nodes[i];
    node.index = kept_[i].index;
    node.previous = kept_[i].previous;
    node.previous_write = kept_[i].previous_write;
    node.previous_unlike = kept_[i].previous_unlike;
    node.release = kept_[i].release;
  }
}

void Causality::take_back(const Change& change) {
  const auto put_back_row = [this](Clock* row) {
    copy_clocks(&old_rows_[std::size_t{--old_rows_used_} * width_], row, width_);
  };
  switch (change.what) {
    case What::thread: return put_back_row(&threads_[std::size_t{change.which} * width_]);
    case What::release: return put_back_row(&kept_releases_[std::size_t{change.which} * width_]);
    case What::object: objects_[change.which] = change.object; return;
    case What::node: kept_[change.which].release = change.object.released; return;
  }
}

void Causality::will_change(What what, std::uint32_t which) {
  if (!can_go_back_) return;
  Change& change = changes_.emplace_back(Change{what, which, {}});
  if (what == What::node) change.object.released = frame_->nodes[which].release;
  if (what != What::object) return;
  if (which >= objects_.size()) objects_.resize(which + 1U);
  change.object = objects_[which];
}

void Causality::will_change_row(What what, std::uint32_t which, const Clock* row) {
  if (!can_go_back_) return;
  changes_.push_back({what, which, {}});
  put(old_rows_, old_rows_used_++, row);
}

void Causality::keep() {
  is_kept_ = can_go_back_;
  if (!is_kept_) return;
  const std::vector<Node>& nodes = frame_->nodes;
  kept_.resize(known_);
  for (Position i = 0; i < known_; ++i) kept_[i].release = nodes[i].release;
  for (Position i = known_; i < nodes.size(); ++i)
    kept_.push_back({nodes[i].thread, nodes[i].alternative, nodes[i].index, nodes[i].previous, nodes[i].previous_write,
                     nodes[i].previous_unlike, nodes[i].release});
  const std::size_t known = std::size_t{known_} * width_;
  frame_->rows.resize(nodes.size() * width_);
  kept_rows_.resize(known);
  kept_rows_.insert(kept_rows_.end(), frame_->rows.begin() + static_cast<std::ptrdiff_t>(known), frame_->rows.end());
  frame_->releases.resize(std::size_t{releases_} * width_);
  kept_releases_.assign(frame_->releases.begin(), frame_->releases.end());
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

void Causality::put(std::vector<Clock>& rows, std::size_t nth, const Clock* row) const {
  const std::size_t begin = nth * frame_->width;
  if (rows.size() <= begin) {
    rows.insert(rows.end(), row, row + frame_->width);
  } else {
    copy_clocks(row, &rows[begin], frame_->width);
  }
}

void Causality::add(Position i) {
  Node& node = frame_->nodes[i];
  Clock* row = thread_row(node.thread);
  if (can_go_back_) marks_.push_back({changes_.size(), releases_});
  will_change_row(What::thread, node.thread, row);
  will_change(What::object, node.object);
  Object& on = object(node.object);
  if (on.released != no_row) join(row, release_row(on.released));
  if (on.last_write != nowhere && !knows(row, frame_->nodes[on.last_write])) join(row, frame_->row(on.last_write));
  if (node.effect == Effect::write) join_shares(row, on);
  if (node.op == Op::receive) receive(node, row);
  row[node.thread] = node.index = ++counts_[node.thread];
  node.release = no_row;
  node.previous = node.previous_unlike = on.last;
  node.previous_write = on.last_write;
  if (on.last != nowhere && are_alike(node, frame_->nodes[on.last]))
    node.previous_unlike = frame_->nodes[on.last].previous_unlike;
  on.last = i;
  if (node.effect == Effect::write) on.last_write = i;
  put(frame_->rows, i, row);
}

void Causality::follow(const Link& link, std::uint32_t object, Position length) {
  switch (link.kind) {
    case LinkKind::created: return created(link.thread, link.other);
    case LinkKind::joined:
    case LinkKind::met: return joined(link.thread, link.other);
    case LinkKind::woke: return joined(link.other, link.thread);
    case LinkKind::released: return released(link.thread, object);
    case LinkKind::deposited: return deposited(length - 1, object);
    case LinkKind::withdrew: return withdrew(length - 1, object);
    case LinkKind::sent: return sent(link.thread, object);
    case LinkKind::unordered:
    case LinkKind::grouped:
    case LinkKind::opened: return;
  }
}

void Causality::sent(ThreadId thread, std::uint32_t port) {
  keep_nothing();
  messages_.push_back({port, thread, add_release(past(thread))});
}

Causality::BoundedPort& Causality::bounded_port(std::uint32_t number) {
  for (BoundedPort& port : bounded_ports_)
    if (port.number == number) return port;
  return bounded_ports_.emplace_back(BoundedPort{number, {}, {}});
}

void Causality::know(Position i, std::uint32_t row) {
  keep_nothing();
  join(&frame_->rows[std::size_t{i} * frame_->width], release_row(row));
  join(thread_row(frame_->nodes[i].thread), release_row(row));
}

/// If the port was full before, a message has been taken since.
void Causality::deposited(Position i, std::uint32_t number) {
  keep_nothing();
  BoundedPort& port = bounded_port(number);
  const std::uint64_t capacity = frame_->nodes[i].argument;
  if (port.deposits.size() >= capacity) know(i, port.withdrawals[port.deposits.size() - capacity]);
  port.deposits.push_back(add_release(past(frame_->nodes[i].thread)));
}

void Causality::withdrew(Position i, std::uint32_t number) {
  keep_nothing();
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

void Causality::created(ThreadId parent, ThreadId child) {
  will_change_row(What::thread, child, thread_row(child));
  copy_clocks(past(parent), thread_row(child), frame_->width);
}

void Causality::joined(ThreadId thread, ThreadId ended) {
  will_change_row(What::thread, thread, thread_row(thread));
  join(thread_row(thread), past(ended));
}

std::uint32_t Causality::add_release(const Clock* from) {
  put(frame_->releases, releases_, from);
  return releases_++;
}

void Causality::released(ThreadId thread, std::uint32_t number) {
  will_change(What::object, number);
  Object& on = object(number);
  const std::uint32_t row = add_release(past(thread));
  const auto is_it = [thread](const Node& node) {
    return node.thread == thread && !(node.shares && node.release != no_row);
  };
  Position taken = on.last;
  while (taken != nowhere && !is_it(frame_->nodes[taken])) taken = frame_->nodes[taken].previous;
  if (taken != nowhere) {
    will_change(What::node, taken);
    frame_->nodes[taken].release = row;
  }
  if (taken == nowhere || !frame_->nodes[taken].shares) {
    on.released = row;
    on.shares_released = no_row;
    return;
  }
  if (on.shares_released == no_row) {
    on.shares_released = add_release(past(thread));
  } else {
    will_change_row(What::release, on.shares_released, release_row(on.shares_released));
    join(release_row(on.shares_released), past(thread));
  }
}

}  // namespace norn::dpor
