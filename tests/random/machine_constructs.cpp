// The machine's messages and monitors.

#include <algorithm>
#include <tuple>

#include "machine.hpp"

namespace random_programs {
namespace {

/// Whether nothing of the same sender to the same port was sent earlier.
bool is_oldest(const State& state, unsigned index) {
  if (index == 0) return true;
  const Message& message = state.messages[index];
  const Message& before = state.messages[index - 1];
  return before.sender != message.sender || before.port != message.port;
}

Message remove(State& state, unsigned index) {
  const Message message = state.messages[index];
  std::copy(state.messages.begin() + index + 1, state.messages.end(), state.messages.begin() + index);
  state.messages.back() = Message{};
  return message;
}

}  // namespace

/// Entering and receiving are the only steps others can come before or after.
bool Machine::is_unnoticed(Verb verb) {
  switch (verb) {
    case Verb::Send:
    case Verb::Call:
    case Verb::Leave:
    case Verb::MonitorWait:
    case Verb::Signal:
    case Verb::SignalAll:
    case Verb::SignalAndExit: return true;
    default: return false;
  }
}

/// Whether the thread then goes on by itself. If not, it waits, or has gone on already because others let it.
bool Machine::perform_unnoticed(State& state, unsigned thread, const Operation& operation) const {
  ThreadState& self = state.threads[thread];
  switch (operation.verb) {
    case Verb::Send: post(state, thread, operation); return true;
    case Verb::Call:
      post(state, thread, operation);
      self.phase = Phase::Calling;
      return false;
    case Verb::Leave: leave(state, thread, monitor_place(operation)); return true;
    case Verb::MonitorWait:
      push(state, thread, Phase::Parked, monitor_place(operation));
      leave(state, thread, monitor_place(operation));
      return false;
    case Verb::Signal: return signal(state, thread, monitor_place(operation));
    case Verb::SignalAll: signal_all(state, monitor_place(operation)); return true;
    default: signal_and_exit(state, thread, monitor_place(operation)); return true;
  }
}

void Machine::post(State& state, unsigned thread, const Operation& operation) {
  const auto port = static_cast<std::uint8_t>(port_number(operation.kind, operation.index));
  const int value = value_of(state.threads[thread], operation.value);
  const Message message{value, port, static_cast<std::uint8_t>(thread), 1};
  const auto is_later = [&message](const Message& other) {
    return other.in_use == 0 || std::tie(other.sender, other.port) > std::tie(message.sender, message.port);
  };
  const auto place = std::find_if(state.messages.begin(), state.messages.end(), is_later);
  std::copy_backward(place, state.messages.end() - 1, state.messages.end());
  *place = message;
}

/// Whose message it is is open; among those of one sender to one port it is the oldest.
void Machine::receive(const State& state, unsigned thread, const Operation& operation, States& next) const {
  const unsigned open = open_ports(receivers_, thread, operation);
  for (unsigned i = 0; i < max_messages && state.messages[i].in_use != 0; ++i) {
    const bool in_turn = is_oldest(state, i) || fault_ == Fault::MessagesOvertake;
    if ((open >> state.messages[i].port & 1) != 0 && in_turn) take(state, thread, i, next);
  }
}

/// A call is answered at once.
void Machine::take(State state, unsigned thread, unsigned index, States& next) const {
  const Message message = remove(state, index);
  state.threads[thread].registers[operation_of(state, thread).reg] = message.value;
  if (is_entry(message.port)) {
    const unsigned reg = operation_of(state, message.sender).reg;
    state.threads[message.sender].registers[reg] = message.value + reply_distance;
    go_on(state, message.sender);
  }
  next.push_back(advanced(state, thread));
}

/// For the first time, or after having been signalled.
void Machine::enter(State state, unsigned thread, const Operation& operation, States& next) const {
  const unsigned monitor = monitor_place(operation);
  if (!can_lock(state, thread, monitor)) return;
  state.threads[thread].held[monitor] = 1;
  next.push_back(advanced(state, thread));
}

void Machine::leave(State& state, unsigned thread, unsigned monitor) const {
  state.threads[thread].held[monitor] = 0;
  if (const auto urgent = pop(state, Phase::Urgent, monitor)) let_in(state, *urgent, monitor);
}

void Machine::leave_all(State& state, unsigned thread) const {
  for (unsigned monitor = lock_count; monitor < lock_count + monitor_count; ++monitor)
    if (state.threads[thread].held[monitor] != 0) leave(state, thread, monitor);
}

/// Whether the thread that signals goes on by itself.
bool Machine::signal(State& state, unsigned thread, unsigned monitor) const {
  const auto woken = pop(state, Phase::Parked, monitor);
  if (!woken) return true;
  if (!hands_over(monitor)) {
    state.threads[*woken].phase = Phase::Reentering;
    return true;
  }
  push(state, thread, Phase::Urgent, monitor);
  state.threads[thread].held[monitor] = 0;
  let_in(state, *woken, monitor);
  return false;
}

void Machine::signal_all(State& state, unsigned monitor) const {
  while (const auto woken = pop(state, Phase::Parked, monitor)) state.threads[*woken].phase = Phase::Reentering;
}

void Machine::signal_and_exit(State& state, unsigned thread, unsigned monitor) const {
  if (!hands_over(monitor)) {
    signal(state, thread, monitor);
    return leave(state, thread, monitor);
  }
  const auto woken = pop(state, Phase::Parked, monitor);
  if (!woken) return leave(state, thread, monitor);
  state.threads[thread].held[monitor] = 0;
  let_in(state, *woken, monitor);
}

/// It goes on inside, where it was.
void Machine::let_in(State& state, unsigned thread, unsigned monitor) const {
  state.threads[thread].held[monitor] = 1;
  go_on(state, thread);
}

/// Those who wait in this way in the monitor, in no particular order.
std::vector<unsigned> Machine::queue(const State& state, Phase phase, unsigned monitor) const {
  std::vector<unsigned> waiting;
  for (unsigned other = 0; other < program_.thread_count; ++other)
    if (state.threads[other].phase == phase && monitor_place(operation_of(state, other)) == monitor)
      waiting.push_back(other);
  return waiting;
}

void Machine::push(State& state, unsigned thread, Phase phase, unsigned monitor) const {
  state.threads[thread].place = static_cast<std::uint8_t>(queue(state, phase, monitor).size());
  state.threads[thread].phase = phase;
}

/// Takes the first out of the queue; what its phase is then is up to the caller.
std::optional<unsigned> Machine::pop(State& state, Phase phase, unsigned monitor) const {
  const std::vector<unsigned> waiting = queue(state, phase, monitor);
  const bool last = fault_ == Fault::ConditionsAreStacks && phase == Phase::Parked;
  const unsigned wanted = last ? static_cast<unsigned>(waiting.size()) - 1 : 0;
  std::optional<unsigned> first;
  for (const unsigned other : waiting) {
    std::uint8_t& place = state.threads[other].place;
    if (place == wanted) first = other;
    if (place > wanted) --place;
  }
  if (first) state.threads[*first].place = 0;
  return first;
}

/// Whether who is signalled goes on at once.
bool Machine::hands_over(unsigned monitor) const {
  return monitor < lock_count + objects_per_kind && fault_ != Fault::SignallerContinues;
}

}  // namespace random_programs
