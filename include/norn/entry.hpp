#pragma once

// Synchronous message passing: who calls waits until the call has been answered.
//
//   norn::entry<int, std::string> name_of;          // a request and a reply; either can be void
//   std::thread server([&] { name_of.accept([](int number) { return std::to_string(number); }); });
//   std::string name = name_of.call(7);
//
//   norn::synchronous_port<int> numbers;            // sending waits until the message has been received
//   numbers.send(7);                                // in one thread
//   int number = numbers.receive();                 // in the only one that receives
//
// Under `norn check`, accepting (receiving) is one event, and whose call it accepts is explored.

#include <norn/detail/mailbox.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace norn {
namespace detail {

/// A call, which lives on the stack of the one who calls.
class call : public norn_message {
 public:
  call() : norn_message{} {}

  void wait_for_answer(const void* entry) {
    if (explored()) return norn_park(this, entry);
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [this] { return answered_; });
  }
  /// The call must not be used any more.
  void answer() {
    if (explored()) return norn_unpark(this);
    const std::lock_guard guard(mutex_);
    answered_ = true;
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool answered_ = false;
};

template <typename Request, typename Reply>
struct call_of : call {
  explicit call_of(Request given) : request(std::move(given)) {}
  template <typename Handler>
  void be_handled(Handler& handler) {
    reply.emplace(handler(std::move(request)));
  }
  Request request;
  std::optional<Reply> reply;
};
template <typename Request>
struct call_of<Request, void> : call {
  explicit call_of(Request given) : request(std::move(given)) {}
  template <typename Handler>
  void be_handled(Handler& handler) {
    handler(std::move(request));
  }
  Request request;
};
template <typename Reply>
struct call_of<void, Reply> : call {
  template <typename Handler>
  void be_handled(Handler& handler) {
    reply.emplace(handler());
  }
  std::optional<Reply> reply;
};
template <>
struct call_of<void, void> : call {
  template <typename Handler>
  void be_handled(Handler& handler) {
    handler();
  }
};

}  // namespace detail

template <typename Request = void, typename Reply = void>
class entry {
 public:
  entry() = default;
  entry(const entry&) = delete;
  entry& operator=(const entry&) = delete;
  ~entry() = default;

  /// Waits until the call has been accepted and answered.
  template <typename... Argument>
  Reply call(Argument&&... argument) {
    call_type mine(std::forward<Argument>(argument)...);
    box_.post(mine);
    mine.wait_for_answer(this);
    if constexpr (!std::is_void_v<Reply>) return std::move(*mine.reply);
  }
  /// Waits for a call, and answers it with what `handler` returns.
  template <typename Handler>
  void accept(Handler&& handler) {
    handle(box_.take(), handler);
  }
  void accept() requires(std::is_void_v<Request>&& std::is_void_v<Reply>) {
    accept([] {});
  }

  // For norn::select.
  detail::mailbox& box() { return box_; }
  template <typename Handler>
  void handle(norn_message& message, Handler& handler) {
    auto& call = static_cast<call_type&>(message);
    call.be_handled(handler);
    call.answer();
  }

 private:
  using call_type = detail::call_of<Request, Reply>;
  detail::mailbox box_;
};

template <typename T>
class synchronous_port {
 public:
  /// Waits until the message has been received.
  void send(T message) { entry_.call(std::move(message)); }
  T receive() {
    std::optional<T> received;
    entry_.accept([&received](T message) { received.emplace(std::move(message)); });
    return std::move(*received);
  }

  // For norn::select: whoever sent goes on before the message is handled.
  detail::mailbox& box() { return entry_.box(); }
  template <typename Handler>
  void handle(norn_message& message, Handler& handler) {
    std::optional<T> received;
    auto take = [&received](T content) { received.emplace(std::move(content)); };
    entry_.handle(message, take);
    handler(std::move(*received));
  }

 private:
  entry<T, void> entry_;
};

}  // namespace norn
