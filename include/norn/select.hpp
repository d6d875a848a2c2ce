#pragma once

// Selective waits: receive from whichever of several ports or entries has something first.
//
//   norn::select(norn::when(items.size() < capacity, deposit, [&](int item) { items.push_back(item); }),
//                norn::when(!items.empty(), withdraw, [&] { return take(items); }));
//
// An alternative is open if its condition holds when the wait begins; norn::on(port, handler) is always open. What is
// open is chosen from by what arrives. Returns the number of the alternative that was chosen, from 0.
//
// Two kinds of alternatives need no message: norn::otherwise(handler) is chosen if there is nothing to receive at once,
// and norn::after(duration, handler) if nothing comes for so long. There can be one of them, and it comes last.
//
// Under `norn check` it is one event, and whose message or call is received is explored.

#include <norn/detail/mailbox.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace norn {
namespace detail {

template <typename Source, typename Handler>
struct alternative {
  bool is_open;
  Source& source;
  Handler handler;
};

/// Chosen if there is nothing to receive for so long.
template <typename Handler>
struct last_alternative {
  std::chrono::nanoseconds patience;
  Handler handler;
};

/// The alternatives that are open.
template <std::size_t count>
struct open_alternatives {
  std::array<mailbox*, count> boxes;
  std::array<std::size_t, count> number;
  unsigned size = 0;

  open_alternatives(const std::array<mailbox*, count>& all, const std::array<bool, count>& is_open) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j)
        if (all[i] == all[j]) misuse("a selective wait has two alternatives for one port");
      if (!is_open[i]) continue;
      boxes[size] = all[i];
      number[size++] = i;
    }
  }
};

template <typename... Sources, typename... Handlers>
std::size_t handle(std::size_t chosen, norn_message& message, alternative<Sources, Handlers>&... alternatives) {
  std::size_t i = 0;
  ((i++ == chosen ? alternatives.source.handle(message, alternatives.handler) : void()), ...);
  return chosen;
}

template <typename T>
inline constexpr bool is_last_alternative = false;
template <typename Handler>
inline constexpr bool is_last_alternative<last_alternative<Handler>> = true;

template <typename... Sources, typename... Handlers>
std::size_t select_one_of(alternative<Sources, Handlers>&... alternatives) {
  const open_alternatives<sizeof...(alternatives)> open({&alternatives.source.box()...}, {alternatives.is_open...});
  if (open.size == 0) misuse("no alternative of a selective wait is open");
  unsigned which = 0;
  norn_message& message = mailbox::take(open.boxes.data(), open.size, which);
  return handle(open.number[which], message, alternatives...);
}

/// The last one comes first here.
template <typename Last, typename... Sources, typename... Handlers>
std::size_t select_or(last_alternative<Last>& last, alternative<Sources, Handlers>&... alternatives) {
  const open_alternatives<sizeof...(alternatives)> open({&alternatives.source.box()...}, {alternatives.is_open...});
  unsigned which = 0;
  norn_message* message = open.size == 0 ? nullptr : mailbox::poll(open.boxes.data(), open.size, which, last.patience);
  if (message != nullptr) return handle(open.number[which], *message, alternatives...);
  last.handler();
  return sizeof...(alternatives);
}

}  // namespace detail

template <typename Source, typename Handler>
detail::alternative<Source, Handler> when(bool condition, Source& source, Handler handler) {
  return {condition, source, std::move(handler)};
}
template <typename Source, typename Handler>
detail::alternative<Source, Handler> on(Source& source, Handler handler) {
  return {true, source, std::move(handler)};
}

template <typename Handler>
detail::last_alternative<Handler> otherwise(Handler handler) {
  return {std::chrono::nanoseconds(0), std::move(handler)};
}
template <typename Handler>
detail::last_alternative<Handler> after(std::chrono::nanoseconds duration, Handler handler) {
  return {duration, std::move(handler)};
}

/// Alternatives of norn::when and norn::on, and perhaps one of norn::otherwise or norn::after at the end.
template <typename... Alternatives>
std::size_t select(Alternatives... alternatives) {
  constexpr std::size_t count = sizeof...(alternatives);
  static_assert(count != 0, "a selective wait needs an alternative");
  const auto all = std::tie(alternatives...);
  auto& last = std::get<count - 1>(all);
  if constexpr (detail::is_last_alternative<std::remove_reference_t<decltype(last)>>) {
    const auto select_others = [&]<std::size_t... i>(std::index_sequence<i...>) {
      return detail::select_or(last, std::get<i>(all)...);
    };
    return select_others(std::make_index_sequence<count - 1>());
  } else {
    return detail::select_one_of(alternatives...);
  }
}

}  // namespace norn
