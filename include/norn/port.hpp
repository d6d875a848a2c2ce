#pragma once

// Asynchronous ports: sending never waits, receiving waits for a message. Any number of threads send, one receives.
//
//   norn::port<int> numbers;
//   std::thread sender([&] { numbers.send(1); });
//   int number = numbers.receive();
//
// Messages of one thread to one port arrive in the order in which they are sent; otherwise any message that was sent
// may be received next. Under `norn check`, receiving is one event, and whose message it receives is explored.

#include <norn/detail/mailbox.hpp>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace norn {

/// Says of a port that the program does not care in which order its messages are received: `norn check --reduce
/// unordered` then explores one order only.
struct unordered_t {};
inline constexpr unordered_t unordered;

template <typename T>
class port {
 public:
  port() = default;
  explicit port(unordered_t) { box_.set_unordered(); }
  port(const port&) = delete;
  port& operator=(const port&) = delete;
  ~port() {
    while (norn_message* left = box_.remove_left()) delete static_cast<letter*>(left);
  }

  void send(T message) { box_.post(*new letter{{}, std::move(message)}); }
  T receive() { return open(box_.take()); }

  // For norn::select.
  detail::mailbox& box() { return box_; }
  template <typename Handler>
  void handle(norn_message& message, Handler& handler) {
    handler(open(message));
  }

 private:
  struct letter : norn_message {
    T content;
  };
  static T open(norn_message& message) {
    const std::unique_ptr<letter> mine(static_cast<letter*>(&message));
    return std::move(mine->content);
  }

  detail::mailbox box_;
};

/// A port that holds at most `capacity` messages: sending waits until there is room. Messages are received in the order
/// in which they are sent, whoever sends them. Under `norn check`, sending and receiving are one event each; the order
/// in which messages are sent is explored. (It cannot be used in norn::select.)
template <typename T>
class bounded_port {
 public:
  explicit bounded_port(std::size_t capacity) : box_{nullptr, 0, 0, capacity} {
    if (capacity == 0) detail::misuse("a port must have room for one message at least");
  }
  bounded_port(const bounded_port&) = delete;
  bounded_port& operator=(const bounded_port&) = delete;
  ~bounded_port() {
    while (box_.first != nullptr) delete static_cast<letter*>(std::exchange(box_.first, box_.first->next));
  }

  void send(T message) {
    auto* mine = new letter{{}, std::move(message)};
    if (detail::explored()) return norn_deposit(&box_, mine);
    std::unique_lock guard(mutex_);
    has_room_.wait(guard, [this] { return box_.count < box_.capacity; });
    (box_.first == nullptr ? box_.first : last_->next) = mine;
    last_ = mine;
    ++box_.count;
    has_message_.notify_one();
  }
  T receive() {
    const std::unique_ptr<letter> mine(static_cast<letter*>(detail::explored() ? norn_withdraw(&box_) : withdraw()));
    return std::move(mine->content);
  }

 private:
  struct letter : norn_message {
    T content;
  };
  norn_message* withdraw() {
    std::unique_lock guard(mutex_);
    if (receiver_ == std::thread::id()) receiver_ = std::this_thread::get_id();
    if (receiver_ != std::this_thread::get_id()) detail::misuse("a second thread receives from a port: only one may");
    has_message_.wait(guard, [this] { return box_.first != nullptr; });
    --box_.count;
    has_room_.notify_one();
    return std::exchange(box_.first, box_.first->next);
  }

  norn_bounded_mailbox box_;
  std::mutex mutex_;
  std::condition_variable has_room_;
  std::condition_variable has_message_;
  norn_message* last_ = nullptr;
  std::thread::id receiver_;
};

}  // namespace norn
