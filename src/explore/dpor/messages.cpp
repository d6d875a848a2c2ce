// Messages: whose is received is an alternative of receiving, so sending one is no event.

#include <algorithm>

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {

/// A message could have been received earlier, instead of another one: by whatever does not happen before it is sent,
/// as long as it is the next one of its sender.
void Dpor::find_receivers(const Link& sent, Position length, const Clock* past) {
  const std::uint32_t port = number_of(sent.object);
  for (std::size_t i = opens_.size(); i-- > 0;) {
    if (opens_[i].port != port) continue;
    const Node& node = top().nodes[opens_[i].at];
    const bool is_earlier_one = node.object == port && sender_of(node.alternative) == sent.thread;
    if (is_earlier_one || knows(past, node)) return;
    races_.receive_instead(length, opens_[i].at, from_sender(sent.thread, opens_[i].index), past);
  }
}

/// A read that is placed earlier than it was added may be followed by messages at once. Then whatever receives them
/// comes later, but it was there before them.
void Dpor::find_receivers_of_late_sends(Position length) {
  for (std::size_t i = 0; i < late_sends_.size(); ++i) {
    const Link& sent = late_sends_[i];
    const auto is_like_it = [&sent](const Link& other) { return other.object == sent.object; };
    const auto first = std::find_if(late_sends_.begin(), late_sends_.end(), is_like_it);
    const auto late = std::count_if(late_sends_.begin(), late_sends_.end(), is_like_it);
    const bool is_next = causality_.messages(sent.thread, number_of(sent.object)) == late;
    // Its sender may have gone on since.
    if (is_next && &*first == &sent)
      find_receivers(sent, length, causality_.past_of_message(sent.thread, number_of(sent.object)));
  }
}

}  // namespace norn::dpor
