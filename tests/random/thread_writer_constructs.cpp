// Blocks of messages, monitors and binary semaphores.

#include <algorithm>

#include "thread_writer.hpp"

namespace random_programs {

std::vector<Operation> ThreadWriter::write_announced_wait_in(char kind) {
  add(Verb::Enter, kind, 0);
  add(Verb::Release, 's', 0);
  add(Verb::MonitorWait, kind, 0);
  if (random_.chance(70)) count();
  if (random_.chance(40)) signal_inside(kind, 0);
  if (random_.chance(30)) add(Verb::Leave, kind, 0);
  return take();
}

std::vector<Operation> ThreadWriter::write_signal_to(unsigned waiters, char kind) {
  for (unsigned i = 0; i < waiters; ++i) add(Verb::Acquire, 's', 0);
  add(Verb::Enter, kind, 0);
  for (unsigned i = waiters - (random_.chance(40) ? 1 : 0); i > 0; --i) {
    signal_inside(kind, 0);
    if (random_.chance(40)) count();
  }
  if (random_.chance(20)) wait_inside(kind, 0);
  return take();
}

/// Sometimes what the thread got last is passed on.
void ThreadWriter::send(unsigned port, unsigned content) {
  const auto latest = static_cast<std::int16_t>((results_ + registers_per_thread - 1) % registers_per_thread);
  const bool passes_on = results_ != 0 && random_.chance(25);
  Operation& operation = add(is_entry(port) ? Verb::Call : Verb::Send, is_entry(port) ? 'e' : 'x', port % 2);
  operation.value = passes_on ? Value{true, latest} : constant(content);
}

void ThreadWriter::receive(unsigned port) {
  add(is_entry(port) ? Verb::Accept : Verb::Receive, is_entry(port) ? 'e' : 'x', port % 2);
  if (random_.chance(40)) use_result();
}

void ThreadWriter::select(unsigned ports) {
  add(Verb::Select, 'x', 0).number = static_cast<std::uint8_t>(ports);
  if (random_.chance(40)) use_result();
}

void ThreadWriter::aside() {
  if (!habits_.kinds.empty()) block();
}

/// P, something, V; or only one of the two, for others to complete.
void ThreadWriter::binary_semaphore() {
  const unsigned index = object();
  const bool section = random_.chance(65);
  if (section || random_.chance(50)) add(Verb::Acquire, 'n', index);
  if (section && random_.chance(70)) atomic();
  if (section || operations_.empty() || random_.chance(40)) add(Verb::Release, 'n', index);
}

/// A stay in a monitor; now and then it lasts until the end of the thread.
void ThreadWriter::monitor(char kind) {
  const unsigned index = object();
  add(Verb::Enter, kind, index);
  if (random_.chance(20)) atomic();
  random_.chance(std::clamp(waiting_share_, 20u, 60u)) ? wait_inside(kind, index) : signal_inside(kind, index);
  if (random_.chance(60)) count();
  if (random_.chance(10)) add(Verb::Enter, random_.chance(50) ? kind : 'u', 1 - index);
  if (random_.chance(70)) add(Verb::Leave, kind, index);
}

/// Most waits only if there is something to wait for.
void ThreadWriter::wait_inside(char kind, unsigned index) {
  if (random_.chance(65)) {
    add(Verb::Load, 'a', index);
    condition(Verb::If, false, 0);
  }
  add(Verb::MonitorWait, kind, index);
  if (random_.chance(20)) signal_inside(kind, index);
}

void ThreadWriter::signal_inside(char kind, unsigned index) {
  if (random_.chance(50)) add(Verb::Store, 'a', index).value = constant(1);
  const unsigned way = random_.below(10);
  add(way < 7 ? Verb::Signal : way < 8 || kind == 'u' ? Verb::SignalAndExit : Verb::SignalAll, kind, index);
}

}  // namespace random_programs
