#pragma once

// Random programs for the abstract machine.

#include <fmt/format.h>

#include <array>
#include <string>

#include "abstract_program.hpp"

namespace norn::test {

inline constexpr unsigned first_atomic = 0;
inline constexpr unsigned first_mutex = 4;
inline constexpr unsigned first_semaphore = 8;
inline constexpr unsigned first_condition = 12;
inline constexpr unsigned whole_process = 15;

/// What the programs are made of.
struct Taste {
  bool locks = false;
  bool tries = false;  ///< sometimes in vain
  bool semaphores = false;
  bool conditions = false;
  bool atomics = false;
  bool addresses = false;  ///< wait for atomics to change
  bool failures = false;   ///< end the run
};

class ProgramWriter {
 public:
  ProgramWriter(std::uint64_t seed, const Taste& taste) : random_(seed), taste_(taste) {}

  AbstractProgram write() {
    AbstractProgram program(2 + random_.below(3));
    for (AbstractThread& thread : program) {
      const std::size_t length = 1 + random_.below(program.size() == 2 ? 5 : program.size() == 3 ? 3 : 2);
      while (thread.size() < length) add_to(thread);
      if (taste_.failures) add_failure(thread);
    }
    return program;
  }

 private:
  void add_to(AbstractThread& thread) {
    switch (random_.below(5)) {
      case 0:
      case 1:
        if (taste_.addresses && random_.below(3) == 0) return thread.push_back(on_address());
        if (taste_.atomics) thread.push_back(on_atomic());
        return;
      case 2:
        if (taste_.locks) add_section(thread);
        return;
      case 3:
        if (taste_.semaphores) thread.push_back(on_semaphore());
        return;
      default:
        if (taste_.conditions) add_wait_or_signal(thread);
        return;
    }
  }

  /// Where a thread waits for a condition, it does not fail.
  void add_failure(AbstractThread& thread) {
    AbstractOperation& one = thread[random_.below(thread.size())];
    if (random_.below(4) == 0) {
      thread.push_back({Op::process_exit, whole_process});
    } else if (random_.below(3) != 0) {
      one.fails_if_odd = one.op != Op::condition_sleep && one.op != Op::condition_timed_sleep;
    }
  }

  AbstractOperation on_atomic() {
    constexpr std::array ops = {Op::atomic_load,  Op::atomic_load,   Op::atomic_store,
                                Op::atomic_store, Op::atomic_update, Op::atomic_compare_exchange};
    AbstractOperation operation{ops[random_.below(ops.size())], first_atomic + below(2), 1 + random_.below(2)};
    if (operation.op == Op::atomic_compare_exchange) operation.expected = random_.below(3);
    operation.only_if_odd = random_.below(3) == 0;
    return operation;
  }

  AbstractOperation on_address() {
    constexpr std::array ops = {Op::address_sleep, Op::address_timed_sleep, Op::address_wake, Op::address_wake};
    AbstractOperation operation{ops[random_.below(ops.size())], first_atomic + below(2)};
    operation.expected = operation.op == Op::address_wake ? 1 + random_.below(2) : random_.below(2);
    return operation;
  }

  AbstractOperation on_semaphore() {
    constexpr std::array ops = {Op::semaphore_post, Op::semaphore_post, Op::semaphore_wait, Op::semaphore_try_wait,
                                Op::semaphore_timed_wait};
    AbstractOperation operation{ops[random_.below(taste_.tries ? ops.size() : 3)], first_semaphore + below(2)};
    operation.only_if_odd = random_.below(4) == 0;
    return operation;
  }

  void add_section(AbstractThread& thread) {
    constexpr std::array ops = {Op::mutex_lock, Op::mutex_try_lock, Op::mutex_timed_lock};
    const unsigned mutex = first_mutex + below(2);
    const Op op = ops[taste_.tries ? random_.below(ops.size()) : 0];
    thread.push_back({op, mutex});
    const bool may_fail = op != Op::mutex_lock;
    if (taste_.atomics && random_.below(2) == 0) thread.push_back(on_atomic());
    AbstractOperation unlock{Op::mutex_unlock, mutex};
    unlock.only_if_got_it = may_fail;
    thread.push_back(unlock);
  }

  void add_wait_or_signal(AbstractThread& thread) {
    const unsigned condition = first_condition + below(4) / 3;
    if (random_.below(2) == 0) {
      AbstractOperation signal{random_.below(3) == 0 ? Op::condition_broadcast : Op::condition_signal, condition};
      signal.only_if_odd = random_.below(4) == 0;
      return thread.push_back(signal);
    }
    const unsigned mutex = first_mutex + (condition - first_condition);
    AbstractOperation wait{random_.below(2) == 0 ? Op::condition_sleep : Op::condition_timed_sleep, condition};
    wait.also = mutex;
    thread.insert(thread.end(), {{Op::mutex_lock, mutex}, wait, {Op::mutex_unlock, mutex}});
  }

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_.below(bound)); }

  SplitMix64 random_;
  Taste taste_;
};

inline std::string text_of(const AbstractProgram& program) {
  std::string text;
  for (const AbstractThread& thread : program) {
    for (const AbstractOperation& one : thread) {
      text += fmt::format(" {}{}{}({}", one.only_if_odd ? "if odd " : "", one.only_if_got_it ? "if got " : "",
                          name(one.op), one.object);
      if (one.op == Op::atomic_store || one.op == Op::atomic_update) text += fmt::format(",{}", one.value);
      if (one.op == Op::atomic_compare_exchange) text += fmt::format(",{}->{}", one.expected, one.value);
      text += one.fails_if_odd ? ") fails if odd;" : ");";
    }
    text += "\n";
  }
  return text;
}

inline bool releases_are_visible(const AbstractProgram& program) {
  for (const AbstractThread& thread : program)
    for (const AbstractOperation& one : thread)
      if (one.op == Op::mutex_try_lock || one.op == Op::mutex_timed_lock) return true;
  return false;
}

}  // namespace norn::test
