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
  /// There will be about so many events and links. If `may_go_on`, what is kept of the last run is not found out again
  /// for the events that both begin with: returns how many these are, nowhere if nothing is known. The links that came
  /// about before the next event are done then, too.
  Position begin(Frame& frame, std::size_t events, std::size_t links, bool may_go_on = false);
  /// All of the run has been read, and the next one may begin like it.
  void keep();
  /// There is more to know of this run than could be kept.
  void keep_nothing() { can_go_back_ = false; }

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
    keep_nothing();
    if (thread < frame_->width) join(&frame_->rows[std::size_t{i} * frame_->width], past(thread));
  }
  /// The node at `i` happens.
  void add(Position i);
  /// The link comes after so many events. `object` is the number of what it is about, if `names_object` says so.
  void follow(const Link& link, std::uint32_t object, Position length);
  [[nodiscard]] static bool names_object(LinkKind kind) {
    return kind == LinkKind::released || kind == LinkKind::deposited || kind == LinkKind::withdrew ||
           kind == LinkKind::sent;
  }
  /// How many messages of the thread wait to be received.
  [[nodiscard]] std::ptrdiff_t messages(ThreadId sender, std::uint32_t port) const;
  /// All that happened before the first of these.
  [[nodiscard]] const Clock* past_of_message(ThreadId sender, std::uint32_t port) const;

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

  void created(ThreadId parent, ThreadId child);
  void joined(ThreadId thread, ThreadId ended);
  void released(ThreadId thread, std::uint32_t object);
  /// The event at `i` did this.
  void deposited(Position i, std::uint32_t port);
  void withdrew(Position i, std::uint32_t port);
  void sent(ThreadId thread, std::uint32_t port);
  Object& object(std::uint32_t number);
  void receive(const Node& node, Clock* row);
  Clock* thread_row(ThreadId thread) { return &threads_[std::size_t{thread} * frame_->width]; }
  Clock* release_row(std::uint32_t row) { return &frame_->releases[std::size_t{row} * frame_->width]; }
  void join(Clock* into, const Clock* from) const { join_clocks(into, from, frame_->width); }
  void put(std::vector<Clock>& rows, std::size_t nth, const Clock* row) const;
  std::uint32_t add_release(const Clock* from);
  void join_shares(Clock* row, const Object& object);

  // What it takes to go back to where the next run leaves the last one.

  /// What is kept of a node.
  struct Kept {
    ThreadId thread;
    std::uint16_t alternative;
    std::uint32_t index;
    Position previous;
    Position previous_write;
    Position previous_unlike;
    std::uint32_t release;
  };
  enum class What : std::uint8_t { thread, object, release, node };
  /// How something was before it changed.
  struct Change {
    What what;
    std::uint32_t which;
    Object object;  ///< if it is one; of a node, what was released
  };
  /// Before an event.
  struct Mark {
    std::size_t changes;
    std::uint32_t releases;
  };
  [[nodiscard]] Position common_with(const Frame& frame) const;
  void begin_anew(unsigned width);
  void go_back(Position to);
  void take_back(const Change& change);
  void will_change(What what, std::uint32_t which);
  void will_change_row(What what, std::uint32_t which, const Clock* row);

  Frame* frame_ = nullptr;
  std::vector<Clock> threads_;
  std::vector<std::uint32_t> counts_;
  std::vector<Object> objects_;
  std::vector<Message> messages_;
  std::vector<BoundedPort> bounded_ports_;
  std::uint32_t releases_ = 0;  ///< how many of the frame's count
  std::uint32_t run_ = 0;
  bool can_go_back_ = false;
  bool is_kept_ = false;
  Position known_ = 0;  ///< how many events of the run at hand are kept already
  unsigned width_ = 0;
  std::vector<Mark> marks_;  ///< by position
  std::vector<Change> changes_;
  std::vector<Clock> old_rows_;      ///< of threads and releases among these
  std::uint32_t old_rows_used_ = 0;  ///< so many count
  std::vector<Kept> kept_;           ///< the nodes of the last run, with their rows, and its releases
  std::vector<Clock> kept_rows_;
  std::vector<Clock> kept_releases_;
};

}  // namespace norn::dpor
