#pragma once

// Writes the operations of one thread of a random program, block by block: a critical section, a wait, an atomic...

#include <string>
#include <utility>
#include <vector>

#include "description.hpp"
#include "random.hpp"

namespace random_programs {

/// What all threads of a program have in common.
struct Habits {
  std::string kinds;           // letters of the kinds to choose from, with repetitions; see generator.cpp
  unsigned second_object = 0;  // how often (percent) the second object of a kind is meant, not the first
  unsigned trying = 35;        // how often a lock is tried, in percent
  std::string waits_for;       // letters of the kinds that are never tried
  unsigned released = 85;      // how often it is given back before the end of the thread
  unsigned asserted = 8;       // how often something is asserted about what was read
  unsigned both = 0;           // how often both mutexes are taken together
};

inline Value constant(unsigned number) { return {false, static_cast<std::int16_t>(number)}; }

class ThreadWriter {
 public:
  ThreadWriter(Random& random, const Habits& habits, bool may_assert);

  /// Whole blocks until there are at least `length` operations.
  std::vector<Operation> write(unsigned length);

  /// A waiter that says (by s0, with the mutex held) that it is about to wait. Without this, "any waiter may be woken"
  /// hardly ever shows: whoever is woken might as well have been alone.
  std::vector<Operation> write_announced_wait();

  /// Notifies once all those waiters wait.
  std::vector<Operation> write_notification_of(unsigned waiters);

  // The same for a monitor, of which the letter says the kind.
  std::vector<Operation> write_announced_wait_in(char monitor);
  std::vector<Operation> write_signal_to(unsigned waiters, char monitor);

  // Operation by operation, for threads that exchange messages. Ports are named by `port_number`.
  void send(unsigned port, unsigned content);
  void receive(unsigned port);
  void select(unsigned ports);
  /// Something else, if there is anything else in the program.
  void aside();
  std::vector<Operation> take() { return std::move(operations_); }

 private:
  void block();
  unsigned object();
  Value value();
  Operation& add(Verb verb, char kind, unsigned index);
  void on_object(Verb verb, char kind);
  void count();
  void atomic();
  void use_result();
  void condition(Verb verb, bool equal, unsigned number);
  Verb acquisition(char kind);
  void section(char kind);
  void section_of_both();
  void inner(char kind, unsigned index);
  void wait();
  void notify();
  void await();
  void sleep_or_wake();
  void once(char kind);
  void semaphore(char kind);
  void binary_semaphore();
  void monitor(char kind);
  void wait_inside(char kind, unsigned index);
  void signal_inside(char kind, unsigned index);

  Random& random_;
  const Habits& habits_;
  bool may_assert_;
  unsigned waiting_share_;  // percent: a thread mostly waits for conditions or mostly notifies
  std::vector<Operation> operations_;
  unsigned results_ = 0;  // results written so far: they go to the registers in turn
};

}  // namespace random_programs
