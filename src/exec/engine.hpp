#pragma once

#include <memory>
#include <string>

#include "exec/executor.hpp"
#include "exec/output.hpp"
#include "exec/record.hpp"
#include "exec/scheduler.hpp"
#include "exec/snapshot.hpp"
#include "exec/watchdog.hpp"
#include "exec/waypoint.hpp"
#include "explore/explorer.hpp"

namespace norn::exec {

/// What is executed again and again: the program's main, or the function given to norn::explore.
struct Body {
  void* (*function)(void*);
  void* argument;
  FloatingPoint floating_point;  ///< how it computes at first
};

/// What runs teach about the program, which decides what is visible: another engine must know it to do the same runs.
struct LearnedFacts {
  bool releases_visible = false;
  bool readers_ordered = false;
  bool barriers_ordered = false;
  bool sends_visible = false;
  bool locks_one_by_one = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> visible;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> loops;

  void tell(Options& options) const {
    options.releases_visible = releases_visible;
    options.readers_ordered = readers_ordered;
    options.barriers_ordered = barriers_ordered;
    options.sends_visible = sends_visible;
    options.locks_one_by_one = locks_one_by_one;
    options.visible = visible;
    options.loops = loops;
  }
  static LearnedFacts told_by(const Options& options) {
    return {options.releases_visible,
            options.readers_ordered,
            options.barriers_ordered,
            options.sends_visible,
            options.locks_one_by_one,
            options.visible,
            options.loops};
  }
  template <typename Archive>
  void archive(Archive& parts) {
    parts(releases_visible, readers_ordered, barriers_ordered, sends_visible, locks_one_by_one, visible, loops);
  }
};

/// Whoever knows the lines that addresses belong to.
class LineNames {
 public:
  virtual ~LineNames() = default;
  /// For each return address the number of its line, or Locations::library.
  virtual std::vector<Location> lines_of(std::span<const std::uintptr_t> addresses) = 0;
};

/// Runs the program under control, one run at a time, each from the same state.
class Engine final : public Runner {
 public:
  /// `stack` is the part of the calling thread's stack that runs may write to. `descent` has as many slots as there may
  /// be threads.
  Engine(const Options& options, Body body, std::span<std::byte> stack, const Descent& descent);
  ~Engine() override;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Calls `driver`, inside which runs are possible.
  void drive(void (*driver)(void*), void* argument) { executor_.drive(driver, argument); }

  const Trace& run(const Prefix& prefix, Strategy& strategy) override;
  const Trace& run_again(const Prefix& schedule) override;
  /// The same with a call stack for every event and the program's output kept. If the run is about a race, `sites` are
  /// its two.
  const Trace& run_detailed(const Prefix& prefix, Strategy& strategy, std::pair<const void*, const void*> sites);
  /// From now on only a race between these two sites counts as one; all do if they are null.
  void look_only_for(std::pair<const void*, const void*> sites) { only_race_ = sites; }
  std::vector<analysis::Race> find_races(const Prefix& schedule, Strategy& strategy) override;

  bool must_restart() override;
  void finish_before(std::chrono::steady_clock::time_point deadline) override { set_run_deadline(deadline); }
  [[nodiscard]] LearnedFacts learned_facts() const;
  void keep_output(bool keep) { keep_output_ = keep; }
  void let_output_through() { output_.let_through(); }
  std::string last_output() override { return output_.text(); }
  std::vector<std::string> notes() const override;
  std::span<const analysis::LockEdge> new_lock_order() override;
  void forget_lock_order() override { memory_.record->lock_edge_count = lock_edges_known_ = 0; }

  const RunMemory& memory() const { return memory_; }
  /// The threads of the last run.
  std::span<Thread> threads() { return scheduler_->threads(); }
  /// Those of all runs so far, in whichever process.
  std::span<const Thread> known_threads() { return scheduler_->threads_of(memory_.descent.identities().size()); }
  /// What threads are called that say nothing about it.
  const ThreadName& process_name() const { return scheduler_->first_name(); }
  Snapshot& snapshot() { return snapshot_; }
  /// Without one, every address is a line of its own.
  void set_line_names(LineNames* names) { line_names_ = names; }

 private:
  void note_hang();
  const Trace& run_with(const Prefix& prefix, Strategy& strategy, Scrutiny scrutiny, Output::Mode mode);
  void run_here(const Prefix& prefix, Strategy& strategy, Scrutiny scrutiny);
  void run_from(const Waypoint& waypoint, const Prefix& prefix, Strategy& strategy);
  const Waypoint* waypoint_for(const Prefix& prefix, Scrutiny scrutiny, Output::Mode mode);
  void run_forked(const Prefix& prefix, Strategy& strategy, Scrutiny scrutiny);
  void end_unnoticed(int code);
  void end_from_outside(End end, std::string_view message);
  [[nodiscard]] End wait_for_end_of(pid_t child) const;
  [[noreturn]] void run_in_child(const Prefix& prefix, Strategy& strategy, Scrutiny scrutiny);
  void read_trace();
  [[nodiscard]] bool has_wanted_race() const;

  Options options_;
  Body body_;
  bool forks_;
  bool restores_;
  bool resumes_;  ///< runs may go on from the middle of earlier ones
  bool keep_output_ = false;
  void accept_visible();
  void name_locations();
  bool releases_visible_ = false;
  bool readers_ordered_ = false;
  RunMemory memory_;
  Snapshot snapshot_;
  Output output_;
  Executor& executor_;
  std::unique_ptr<Scheduler> scheduler_;
  Waypoints waypoints_;
  Output::Mode waypoints_mode_ = Output::Mode::discard;
  LineNames* line_names_ = nullptr;
  Trace trace_;
  std::uint32_t lock_edges_known_ = 0;
  std::pair<const void*, const void*> only_race_;
};

}  // namespace norn::exec
