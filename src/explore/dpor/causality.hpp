#pragma once

#include <span>
#include <vector>

#include "explore/dpor/node.hpp"
#include "trace/link.hpp"

namespace norn::dpor {

/// What happened because of what, event by event, as vector clocks: the order of each thread, from each write (and from
/// each reader's lock) to later operations on the object, and what links say. That a plain read came before a write is
/// no cause of the write: the write would have happened without it.
class Causality {
 public:
  /// There will be about so many events and links.
  void begin(Frame& frame, std::size_t events, std::size_t links);

  /// All that happened before the next event of `thread`, as far as its object is not concerned.
  [[nodiscard]] const Clock* past(ThreadId thread) const { return &threads_[std::size_t{thread} * frame_->width]; }
  [[nodiscard]] Position last_on(std::uint32_t object) const {
    return object < objects_.size() && objects_[object].run == run_ ? objects_[object].last : nowhere;
  }
  [[nodiscard]] Position last_write_on(std::uint32_t object) const {
    return object < objects_.size() && objects_[object].run == run_ ? objects_[object].last_write : nowhere;
  }
  /// How many events of a thread there were.
  [[nodiscard]] std::uint32_t count(ThreadId thread) const { return counts_[thread]; }

  /// What `thread` knows belongs to the past of the node at `i` as well.
  void know_at(Position i, ThreadId thread) {
    if (thread < frame_->width) join(&frame_->rows[std::size_t{i} * frame_->width], past(thread));
  }
  /// The node at `i` happens.
  void add(Position i);
  void created(ThreadId parent, ThreadId child);
  void joined(ThreadId thread, ThreadId ended);
  void woke(ThreadId thread, ThreadId other) { joined(other, thread); }
  void released(ThreadId thread, std::uint32_t object);
  /// The event at `i` did this.
  void deposited(Position i, std::uint32_t port);
  void withdrew(Position i, std::uint32_t port);
  /// How many messages of the thread wait to be received.
  [[nodiscard]] std::ptrdiff_t messages(ThreadId sender, std::uint32_t port) const;
  /// All that happened before the first of these.
  [[nodiscard]] const Clock* past_of_message(ThreadId sender, std::uint32_t port) const;
  void sent(ThreadId thread, std::uint32_t port) { messages_.push_back({port, thread, add_release(past(thread))}); }

 private:
  struct Object {
    std::uint32_t run = 0;
    Position last = nowhere;                 ///< event on it
    Position last_write = nowhere;           ///< event on it that wrote
    std::uint32_t released = no_row;         ///< what is known to whoever takes it
    std::uint32_t shares_released = no_row;  ///< and to whoever takes it for itself alone
  };

  /// A port that can be full: what was done before the n-th message was put there, or taken.
  struct BoundedPort {
    std::uint32_t number;
    std::vector<std::uint32_t> deposits;
    std::vector<std::uint32_t> withdrawals;
  };
  BoundedPort& bounded_port(std::uint32_t number);
  /// What was done before `row` was done before the event at `i`, too.
  void know(Position i, std::uint32_t row);

  /// A message that has not been received yet.
  struct Message {
    std::uint32_t port;
    ThreadId sender;
    std::uint32_t past;
  };

  Object& object(std::uint32_t number);
  void receive(const Node& node, Clock* row);
  Clock* thread_row(ThreadId thread) { return &threads_[std::size_t{thread} * frame_->width]; }
  Clock* release_row(std::uint32_t row) { return &frame_->releases[std::size_t{row} * frame_->width]; }
  void join(Clock* into, const Clock* from) const;
  Clock* room(std::vector<Clock>& rows, std::size_t nth) const;
  void copy(const Clock* from, Clock* to) const;
  std::uint32_t add_release(const Clock* from);
  void join_shares(Clock* row, const Object& object);

  Frame* frame_ = nullptr;
  std::vector<Clock> threads_;
  std::vector<std::uint32_t> counts_;
  std::vector<Object> objects_;
  std::vector<Message> messages_;
  std::vector<BoundedPort> bounded_ports_;
  std::uint32_t releases_ = 0;  ///< how many of the frame's count
  std::uint32_t run_ = 0;
};

}  // namespace norn::dpor
