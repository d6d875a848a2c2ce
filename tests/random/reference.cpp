#include "reference.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace random_programs {
namespace {

struct HashBytes {
  std::size_t operator()(const State& state) const {
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(&state), sizeof state});
  }
};

std::string outcome_line(const Program& program, const State& state) {
  FinalValues values;
  for (unsigned t = 0; t < max_threads; ++t)
    for (unsigned r = 0; r < registers_per_thread; ++r) values.registers[t][r] = state.threads[t].registers[r];
  for (unsigned i = 0; i < objects_per_kind; ++i) {
    values.atomics[i] = state.atomics[i];
    values.semaphores[i] = state.semaphores[i];
    values.posix_semaphores[i] = state.semaphores[objects_per_kind + i];
  }
  char line[256];
  return {line, format_outcome(program, values, line, sizeof line)};
}

class Search {
 public:
  Search(const Program& program, Fault fault, std::size_t state_limit)
      : program_(program), machine_(program, fault), state_limit_(state_limit) {}

  Reference run() {
    result_.interleavings = visit(machine_.initial());
    result_.states = visited_.size();
    return std::move(result_);
  }

 private:
  /// The number of ways from this state to an end. No state can come back (threads only move forward through their
  /// operations), so the recursion ends, and its depth is the number of steps of one run.
  double visit(const State& state) {
    if (const auto known = visited_.find(state); known != visited_.end()) return known->second;
    if (visited_.size() >= state_limit_) result_.complete = false;
    if (!result_.complete) return 0;
    const double ways = is_end(state) ? 1 : visit_successors(state);
    visited_.emplace(state, ways);
    return ways;
  }

  double visit_successors(const State& state) {
    std::vector<State> next;
    for (unsigned thread = 0; thread < program_.thread_count; ++thread) machine_.append_steps(state, thread, next);
    if (next.empty()) {
      if (machine_.would_look_again(state)) return 0;
      result_.outcomes.insert(deadlock_outcome);
      return 1;
    }
    double ways = 0;
    for (const State& successor : next) ways += visit(successor);
    return ways;
  }

  /// The end of main ends the program, and so does a failed assertion.
  bool is_end(const State& state) {
    if (state.assertion_failed != 0) {
      result_.outcomes.insert(assertion_outcome);
      return true;
    }
    if (state.threads[0].phase != Phase::Finished) return false;
    result_.outcomes.insert(outcome_line(program_, state));
    return true;
  }

  const Program& program_;
  Machine machine_;
  std::size_t state_limit_;
  std::unordered_map<State, double, HashBytes> visited_;
  Reference result_;
};

}  // namespace

Reference explore(const Program& program, Fault fault, std::size_t state_limit) {
  return Search(program, fault, state_limit).run();
}

}  // namespace random_programs
