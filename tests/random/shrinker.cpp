#include "shrinker.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace random_programs {
namespace {

using Check = std::function<bool(const Program&)>;

bool names_thread(const Operation& operation) { return operation.verb == Verb::Spawn || operation.verb == Verb::Join; }

/// Takes the smaller program if it still fails.
bool accept(Program& program, const Program& smaller, const Check& still_fails) {
  if (!still_fails(smaller)) return false;
  program = smaller;
  return true;
}

bool without_threads(Program& program, const Check& still_fails) {
  bool changed = false;
  for (unsigned t = program.thread_count; t-- > 1;) {
    Program smaller = program;
    remove_thread(smaller, t);
    changed |= accept(program, smaller, still_fails);
  }
  return changed;
}

bool without_operations(Program& program, const Check& still_fails) {
  bool changed = false;
  for (unsigned t = 0; t < program.thread_count; ++t) {
    for (unsigned i = program.threads[t].size; i-- > 0;) {
      Program smaller = program;
      remove_operation(smaller, t, i);
      changed |= accept(program, smaller, still_fails);
    }
  }
  return changed;
}

/// Selective waits for fewer ports.
bool without_alternatives(Program& program, const Check& still_fails) {
  bool changed = false;
  for (unsigned t = 0; t < program.thread_count; ++t) {
    for (unsigned i = 0; i < program.threads[t].size; ++i) {
      for (unsigned port = 0; port < port_count; ++port) {
        const Operation& operation = program.threads[t].operations[i];
        const auto fewer = static_cast<std::uint8_t>(operation.number & ~(1u << port));
        if (operation.verb != Verb::Select || fewer == 0 || fewer == operation.number) continue;
        Program smaller = program;
        smaller.threads[t].operations[i].number = fewer;
        changed |= accept(program, smaller, still_fails);
      }
    }
  }
  return changed;
}

bool without_settings(Program& program, const Check& still_fails) {
  bool changed = false;
  if (program.unjoined) {
    Program smaller = program;
    smaller.unjoined = false;
    changed |= accept(program, smaller, still_fails);
  }
  for (char kind : {'a', 's', 'p', 'n'}) {
    for (unsigned i = 0; i < objects_per_kind; ++i) {
      if (program.initial_value(kind, i) == 0) continue;
      Program smaller = program;
      smaller.set_initial_value(kind, i, program.initial_value(kind, i) - 1);
      changed |= accept(program, smaller, still_fails);
    }
  }
  return changed;
}

/// The threads stay, and one of the constructs if the program has any.
bool is_dispensable(const Program& program, const Operation& operation) {
  if (!is_construct(operation)) return operation.verb != Verb::Spawn;
  unsigned constructs = 0;
  for (unsigned t = 0; t < program.thread_count; ++t)
    for (unsigned i = 0; i < program.threads[t].size; ++i)
      constructs += is_construct(program.threads[t].operations[i]) ? 1 : 0;
  return constructs > 1;
}

}  // namespace

void remove_operation(Program& program, unsigned thread, unsigned operation) {
  Thread& from = program.threads[thread];
  std::copy(from.operations.begin() + operation + 1, from.operations.begin() + from.size,
            from.operations.begin() + operation);
  from.operations[--from.size] = Operation{};
}

void remove_thread(Program& program, unsigned thread) {
  for (unsigned t = 0; t < program.thread_count; ++t) {
    for (unsigned i = program.threads[t].size; i-- > 0;) {
      Operation& operation = program.threads[t].operations[i];
      if (!names_thread(operation) || operation.number < thread) continue;
      if (operation.number == thread) {
        remove_operation(program, t, i);
      } else {
        --operation.number;
      }
    }
  }
  std::copy(program.threads.begin() + thread + 1, program.threads.begin() + program.thread_count,
            program.threads.begin() + thread);
  program.threads[--program.thread_count] = Thread{};
}

bool trim(Program& program, Random& random) {
  std::vector<std::pair<unsigned, unsigned>> places;
  for (unsigned t = 0; t < program.thread_count; ++t)
    for (unsigned i = 0; i < program.threads[t].size; ++i)
      if (is_dispensable(program, program.threads[t].operations[i])) places.emplace_back(t, i);
  if (places.empty()) return false;
  const auto [thread, operation] = places[random.below(static_cast<unsigned>(places.size()))];
  remove_operation(program, thread, operation);
  return true;
}

Program shrink(Program program, const Check& still_fails) {
  bool changed = true;
  while (changed) {
    changed = without_threads(program, still_fails);
    changed |= without_operations(program, still_fails);
    changed |= without_alternatives(program, still_fails);
    changed |= without_settings(program, still_fails);
  }
  return program;
}

}  // namespace random_programs
