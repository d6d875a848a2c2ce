#pragma once

#include <norn/detail/runtime.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace norn::detail {

/// Rings when there may be something to receive, natively.
class bell {
 public:
  void ring() {
    const std::lock_guard guard(mutex_);
    rung_ = true;
    heard_.notify_one();
  }
  void wait() {
    std::unique_lock guard(mutex_);
    heard_.wait(guard, [this] { return rung_; });
    rung_ = false;
  }
  /// False if it has not rung by then.
  bool wait_until(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock guard(mutex_);
    return heard_.wait_until(guard, deadline, [this] { return rung_; }) && std::exchange(rung_, false);
  }

 private:
  std::mutex mutex_;
  std::condition_variable heard_;
  bool rung_ = false;
};

/// Messages that wait to be received. Who receives is always the same thread.
class mailbox {
 public:
  mailbox() = default;
  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;

  void set_unordered() { box_.unordered = 1; }

  void post(norn_message& message) {
    if (explored()) return norn_send(&box_, &message);
    const std::lock_guard guard(mutex_);
    message.next = nullptr;
    (box_.first == nullptr ? box_.first : last_->next) = &message;
    last_ = &message;
    if (bell_ != nullptr) bell_->ring();
  }

  /// Messages that nobody received; the mailbox is about to be gone.
  norn_message* remove_left() {
    norn_message* message = box_.first;
    if (message != nullptr) box_.first = message->next;
    return message;
  }

  /// Takes a message from one of several mailboxes, and says which.
  static norn_message& take(mailbox* const* from, unsigned count, unsigned& which) {
    if (explored()) return *norn_receive(boxes(from, count).data(), count, &which);
    norn_message* message = nullptr;
    while ((message = look(from, count, which)) == nullptr) my_bell().wait();
    return *message;
  }
  norn_message& take() {
    mailbox* const self = this;
    unsigned which = 0;
    return take(&self, 1, which);
  }
  /// The same, but a null pointer if there is nothing after this time.
  static norn_message* poll(mailbox* const* from, unsigned count, unsigned& which, std::chrono::nanoseconds patience) {
    if (explored()) return norn_poll(boxes(from, count).data(), count, &which, patience.count());
    constexpr std::chrono::nanoseconds for_ever = std::chrono::hours(24 * 365 * 100);
    const auto deadline = std::chrono::steady_clock::now() + std::min(patience, for_ever);
    norn_message* message = look(from, count, which);
    while (message == nullptr && my_bell().wait_until(deadline)) message = look(from, count, which);
    // The bell is gone with this thread.
    for (unsigned i = 0; i < count && message == nullptr; ++i) from[i]->set(nullptr);
    return message;
  }

 private:
  static constexpr unsigned most_open = 64;

  static std::array<norn_mailbox*, most_open> boxes(mailbox* const* from, unsigned count) {
    std::array<norn_mailbox*, most_open> boxes;
    if (count > most_open) misuse("a selective wait has more than 64 open alternatives");
    for (unsigned i = 0; i < count; ++i) boxes[i] = &from[i]->box_;
    return boxes;
  }

  // Natively.

  static bell& my_bell() {
    static thread_local bell mine;
    return mine;
  }
  /// As long as nothing is found, whoever sends rings the bell.
  static norn_message* look(mailbox* const* from, unsigned count, unsigned& which) {
    norn_message* found = nullptr;
    for (which = 0; which < count; ++which)
      if ((found = from[which]->take_or_set(&my_bell())) != nullptr) break;
    for (unsigned i = 0; i < count && found != nullptr; ++i) from[i]->set(nullptr);
    return found;
  }

  norn_message* take_or_set(bell* bell) {
    const std::lock_guard guard(mutex_);
    if (receiver_ == std::thread::id()) receiver_ = std::this_thread::get_id();
    if (receiver_ != std::this_thread::get_id()) misuse("a second thread receives from a port: only one may");
    bell_ = bell;
    norn_message* message = box_.first;
    if (message != nullptr) box_.first = message->next;
    return message;
  }
  void set(bell* bell) {
    const std::lock_guard guard(mutex_);
    bell_ = bell;
  }

  norn_mailbox box_ = {};
  std::mutex mutex_;
  norn_message* last_ = nullptr;
  bell* bell_ = nullptr;
  std::thread::id receiver_;
};

}  // namespace norn::detail
