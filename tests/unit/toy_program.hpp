#pragma once

// Abstract concurrent programs, run without processes or threads: what strategies and the explorer need to be tested on
// their own. A program is a list of operations for every thread; a lock can be taken when nobody holds it, everything
// else always.

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "explore/explorer.hpp"

namespace norn::test {

struct ToyOperation {
  Op op = Op::atomic_update;
  int object = 0;
  Effect effect = Effect::write;
  std::vector<std::uint16_t> alternatives = {0};
};

using ToyThread = std::vector<ToyOperation>;
using ToyProgram = std::vector<ToyThread>;
using Schedule = std::vector<Choice>;

inline ToyOperation update(int object = 0) { return {Op::atomic_update, object, Effect::write}; }
inline ToyOperation load(int object = 0) { return {Op::atomic_load, object, Effect::read}; }
inline ToyOperation lock(int object = 0) { return {Op::mutex_lock, object, Effect::write}; }
inline ToyOperation unlock(int object = 0) { return {Op::mutex_unlock, object, Effect::write}; }

/// Threads that do so many operations each.
inline ToyProgram independent(const std::vector<int>& lengths) {
  ToyProgram program;
  for (const int length : lengths) program.emplace_back(length, update());
  return program;
}

/// Where a program stands: what each thread has done, and who holds which lock.
struct ToyState {
  std::vector<std::size_t> done;
  std::map<int, std::size_t> holders;

  explicit ToyState(const ToyProgram& program) : done(program.size()) {}

  [[nodiscard]] std::vector<Choice> enabled(const ToyProgram& program) const {
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < program.size(); ++i) {
      if (done[i] == program[i].size()) continue;
      const ToyOperation& next = program[i][done[i]];
      if (next.op == Op::mutex_lock && holders.contains(next.object)) continue;
      for (const std::uint16_t alternative : next.alternatives)
        choices.push_back({static_cast<ThreadId>(i), alternative});
    }
    return choices;
  }

  void move(const ToyProgram& program, std::size_t thread) {
    const ToyOperation& operation = program[thread][done[thread]++];
    if (operation.op == Op::mutex_lock) holders[operation.object] = thread;
    if (operation.op == Op::mutex_unlock) holders.erase(operation.object);
  }

  [[nodiscard]] bool finished(const ToyProgram& program) const {
    for (std::size_t i = 0; i < program.size(); ++i)
      if (done[i] != program[i].size()) return false;
    return true;
  }
};

/// What the threads of a program are about to do.
class ToyThreads final : public ThreadsView {
 public:
  ToyThreads(const ToyProgram& program, const ToyState& state, const std::vector<Event>& events)
      : program_(program), state_(state), events_(events) {}

  [[nodiscard]] Upcoming upcoming(ThreadId thread) const override;
  [[nodiscard]] std::span<const Event> events() const override { return events_; }

 private:
  const ToyProgram& program_;
  const ToyState& state_;
  const std::vector<Event>& events_;
};

class ToyRunner final : public Runner {
 public:
  explicit ToyRunner(ToyProgram program) : program_(std::move(program)) {}

  const Trace& run(const Prefix& prefix, Strategy& strategy) override {
    ToyState state(program_);
    events_.clear();
    choices_.clear();
    schedule_.clear();
    outcome_ = {};
    const ToyThreads threads(program_, state, events_);
    ThreadId last = no_thread;
    while (!fails || !fails(schedule_, outcome_)) {
      const auto enabled = state.enabled(program_);
      if (enabled.empty()) {
        outcome_.end = state.finished(program_) ? End::finished : End::deadlock;
        break;
      }
      const auto step = static_cast<std::uint32_t>(events_.size());
      const std::size_t index =
          step < prefix.size() ? find(enabled, prefix[step]) : strategy.choose({step, last, enabled, &threads});
      if (index >= enabled.size()) {
        outcome_.end = End::diverged;
        break;
      }
      const Choice choice = enabled[index];
      const ToyOperation& operation = program_[choice.thread][state.done[choice.thread]];
      events_.push_back({choice.thread, choice.alternative, operation.op, operation.effect,
                         static_cast<std::uint16_t>(enabled.size()), false, false, false, object(operation.object),
                         nullptr, 0});
      if (step >= prefix.size()) choices_.insert(choices_.end(), enabled.begin(), enabled.end());
      schedule_.push_back(choice);
      state.move(program_, choice.thread);
      last = choice.thread;
    }
    if (events_.size() < prefix.size()) throw std::logic_error("a prefix goes beyond the end of the run");
    if (judge) judge(schedule_, outcome_);
    trace_ = {events_, static_cast<std::uint32_t>(prefix.size()), choices_, static_cast<std::uint32_t>(program_.size()),
              &outcome_};
    ++runs;
    return trace_;
  }

  const Trace& run_again(const Prefix& schedule) override {
    static const Options options;
    const auto strategy = make_exhaustive(options);
    const Trace& trace = run(schedule, *strategy);
    --runs;
    return trace;
  }

  bool must_restart() override { return std::exchange(restart, false); }
  std::string last_output() override { return output; }
  [[nodiscard]] std::vector<std::string> notes() const override { return said; }
  std::vector<analysis::Race> find_races(const Prefix&, Strategy&) override { return {}; }

  [[nodiscard]] const Schedule& schedule() const { return schedule_; }

  /// An address that stands for an object.
  static const void* object(int number) { return reinterpret_cast<const void*>(0x1000 + 8L * number); }

  std::function<bool(const Schedule&, Outcome&)> fails;  ///< asked before every step: does the run end here?
  std::function<void(const Schedule&, Outcome&)> judge;  ///< may change how a run ended
  std::uint64_t runs = 0;
  bool restart = false;
  std::string output;
  std::vector<std::string> said;

 private:
  static std::size_t find(const std::vector<Choice>& enabled, Choice wanted) {
    for (std::size_t i = 0; i < enabled.size(); ++i)
      if (enabled[i] == wanted) return i;
    throw std::logic_error("a prefix forces what is not possible");
  }

  ToyProgram program_;
  std::vector<Event> events_;
  std::vector<Choice> choices_;
  Schedule schedule_;
  Outcome outcome_;
  Trace trace_;
};

inline Upcoming ToyThreads::upcoming(ThreadId thread) const {
  const ToyOperation& next = program_[thread][state_.done[thread]];
  return {next.op, ToyRunner::object(next.object)};
}

/// Who moved, as a string: "0110".
inline std::string order(const Schedule& schedule) {
  std::string text;
  for (const Choice& choice : schedule) text += static_cast<char>('0' + choice.thread);
  return text;
}

}  // namespace norn::test
