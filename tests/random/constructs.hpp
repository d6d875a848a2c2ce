#pragma once

// The interpreter's ports, entries, binary semaphores and monitors (those of include/norn/), and what one thread does
// with them.

#include <norn/entry.hpp>
#include <norn/monitor.hpp>
#include <norn/port.hpp>
#include <norn/select.hpp>
#include <norn/semaphore.hpp>

#include <array>
#include <memory>
#include <type_traits>
#include <utility>

#include "description.hpp"

namespace random_programs {

/// A monitor that does only what it is told to.
template <class Base>
class Monitor : Base {
 public:
  /// The caller is inside as long as the result lives.
  auto enter() { return Base::enter(); }
  void wait() { condition_.wait(); }
  void signal() { condition_.signal(); }
  void signal_all() { condition_.signal_all(); }
  void signal_and_exit() { condition_.signal_and_exit(); }

 private:
  typename Base::condition condition_{*this};
};

/// What all threads share.
struct Constructs {
  explicit Constructs(const Program& program)
      : receivers(receivers_of(program)),
        semaphores{norn::binary_semaphore(program.initial_value('n', 0)),
                   norn::binary_semaphore(program.initial_value('n', 1))} {}

  const Receivers receivers;
  std::array<norn::port<int>, objects_per_kind> ports;
  std::array<norn::entry<int, int>, objects_per_kind> entries;
  norn::binary_semaphore semaphores[objects_per_kind];
  std::array<Monitor<norn::su_monitor>, objects_per_kind> su_monitors;
  std::array<Monitor<norn::sc_monitor>, objects_per_kind> sc_monitors;
};

/// One thread in one monitor. Sections end where the program says, not where a block does.
template <class Base>
class Visit {
 public:
  void perform(Verb verb, Monitor<Base>& monitor) {
    if ((verb == Verb::Enter) == is_inside()) return;
    switch (verb) {
      case Verb::Enter: section_.reset(new Section(monitor.enter())); break;
      case Verb::MonitorWait: monitor.wait(); break;
      case Verb::Signal: monitor.signal(); break;
      case Verb::SignalAll: monitor.signal_all(); break;
      case Verb::SignalAndExit: monitor.signal_and_exit(); [[fallthrough]];
      default: section_.reset();
    }
  }

  bool is_inside() const { return section_ != nullptr; }

 private:
  using Section = decltype(std::declval<Monitor<Base>&>().enter());
  std::unique_ptr<Section> section_;
};

class ConstructUser {
 public:
  ConstructUser(Constructs& constructs, unsigned thread) : all_(constructs), thread_(thread) {}

  /// `value` is what the operation sends, `result` the register it writes.
  void perform(const Operation& operation, int value, int& result) {
    switch (operation.verb) {
      case Verb::Send: return all_.ports[operation.index].send(value);
      case Verb::Call: result = all_.entries[operation.index].call(value); return;
      case Verb::Receive:
      case Verb::Accept:
      case Verb::Select: return receive(operation, result);
      default: return perform_on_monitor(operation.verb, operation.kind, operation.index);
    }
  }

  void perform_on_semaphore(const Operation& operation) {
    norn::binary_semaphore& semaphore = all_.semaphores[operation.index];
    operation.verb == Verb::Acquire ? semaphore.P() : semaphore.V();
  }

  void leave_all() {
    for (char kind : {'u', 'v'})
      for (unsigned index = 0; index < objects_per_kind; ++index) perform_on_monitor(Verb::Leave, kind, index);
  }

 private:
  void receive(const Operation& operation, int& result) {
    const unsigned open = open_ports(all_.receivers, thread_, operation);
    if (open == 0) return;
    const auto keep = [&result](int message) { result = message; };
    const auto answer = [&result](int request) {
      result = request;
      return request + reply_distance;
    };
    if (operation.verb == Verb::Receive) {
      result = all_.ports[operation.index].receive();
    } else if (operation.verb == Verb::Accept) {
      all_.entries[operation.index].accept(answer);
    } else {
      norn::select(norn::when((open & 1) != 0, all_.ports[0], keep), norn::when((open & 2) != 0, all_.ports[1], keep),
                   norn::when((open & 4) != 0, all_.entries[0], answer),
                   norn::when((open & 8) != 0, all_.entries[1], answer));
    }
  }

  void perform_on_monitor(Verb verb, char kind, unsigned index) {
    if (kind == 'u') {
      su_visits_[index].perform(verb, all_.su_monitors[index]);
    } else {
      sc_visits_[index].perform(verb, all_.sc_monitors[index]);
    }
  }

  Constructs& all_;
  const unsigned thread_;
  std::array<Visit<norn::su_monitor>, objects_per_kind> su_visits_;
  std::array<Visit<norn::sc_monitor>, objects_per_kind> sc_visits_;
};

}  // namespace random_programs
