#include "exec/engine.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "exec/context.hpp"
#include "exec/fatal.hpp"
#include "exec/faults.hpp"
#include "exec/loader.hpp"
#include "exec/phase.hpp"
#include "exec/process_heap.hpp"
#include "exec/real.hpp"
#include "exec/services.hpp"
#include "exec/watchdog.hpp"

namespace norn::exec {
namespace {

Executor& executor_for(const std::string& threads) {
  return threads == "os" || !fibers_supported() ? os_executor() : fiber_executor();
}

/// The same schedule once more.
class AsBefore final : public Strategy {
 public:
  bool next(Prefix&) override { return false; }
  std::size_t choose(const FreeChoice& at) override { return at.enabled.size(); }
  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }
  [[nodiscard]] bool insists_on(std::uint32_t, ThreadId) const override { return true; }
};

}  // namespace

Engine::Engine(const Options& options, Body body, std::span<std::byte> stack, const Descent& descent)
    : options_(options),
      body_(body),
      forks_(options.isolation == "fork"),
      restores_(options.isolation == "snapshot"),
      memory_(RunMemory::map(options.max_steps, options.max_threads, descent)),
      executor_(executor_for(options.threads)) {
  resumes_ = restores_ && executor_.can_resume() && !options.from_start && !asks_for_lines(options);
  norn_keeps_status = asks_for_exceptions();
  begin_services();
  // Threads first: creating them changes the C library's memory, which must be in the snapshot as it is afterwards.
  scheduler_ = std::make_unique<Scheduler>(options_, executor_, snapshot_, memory_);
  if (options.releases_visible) {
    releases_visible_ = true;
    scheduler_->make_releases_visible();
  }
  if (options.readers_ordered) {
    readers_ordered_ = true;
    scheduler_->order_readers();
  }
  RunRecord& record = *memory_.record;
  record.barriers_ordered = options.barriers_ordered;
  record.sends_visible = options.sends_visible;
  // Whoever looks at single locks sees how they are taken.
  record.locks_one_by_one = options.locks_one_by_one || options.strategy == "coverage" || !options.sequence.empty();
  const std::size_t known = std::min(options_.visible.size(), memory_.visible.size());
  for (; record.visible_found < known; ++record.visible_found) {
    const auto& [begin, end] = options_.visible[record.visible_found];
    memory_.visible[record.visible_found] = {begin, end};
  }
  accept_visible();
  for (const auto& [site, object] : options_.loops)
    record.loops.add({reinterpret_cast<void*>(site), reinterpret_cast<void*>(object)});
  find_loader_locks();
  start_watchdog(options.max_run_seconds);
  // Forked runs need no restoring, but what they change is watched all the same.
  snapshot_.take(stack);
  install_fault_handlers(&snapshot_);
  if (options.isolation == "none") memory_.record->note("runs are not isolated from each other (--isolation none)");
  if (shares_early_mappings())
    memory_.record->note("the program has mapped memory before main() that is not put back between runs (mmap)");
  scheduler = scheduler_.get();
}

Engine::~Engine() {
  stop_watchdog();
  scheduler = nullptr;
  if (restores_) snapshot_.restore();
  snapshot_.release();
  remove_fault_handlers();
  end_services();
  scheduler_.reset();
  memory_.unmap();
}

const Trace& Engine::run(const Prefix& prefix, Strategy& strategy) {
  const auto mode = keep_output_ ? Output::Mode::standard_output : Output::Mode::discard;
  if (only_race_.first == nullptr) return run_with(prefix, strategy, Scrutiny::ordinary, mode);
  run_with(prefix, strategy, Scrutiny::pairs, mode);
  trace_.raced = has_wanted_race();
  return trace_;
}

const Trace& Engine::run_again(const Prefix& schedule) {
  waypoints_.clear();
  AsBefore strategy;
  return run_with(schedule, strategy, Scrutiny::ordinary, Output::Mode::standard_output);
}

bool Engine::has_wanted_race() const {
  const RunRecord& record = *memory_.record;
  const auto is_it = [this](const analysis::Race& race) {
    return std::minmax(race.first.site, race.second.site) == std::minmax(only_race_.first, only_race_.second);
  };
  return std::any_of(record.races, record.races + record.race_count, is_it);
}

const Trace& Engine::run_detailed(const Prefix& prefix, Strategy& strategy, std::pair<const void*, const void*> sites) {
  memory_.record->wanted_race = sites;
  return run_with(prefix, strategy, Scrutiny::detailed, Output::Mode::everything);
}

std::vector<analysis::Race> Engine::find_races(const Prefix& schedule, Strategy& strategy) {
  run_with(schedule, strategy, Scrutiny::pairs, Output::Mode::discard);
  const RunRecord& record = *memory_.record;
  return {record.races, record.races + record.race_count};
}

const Trace& Engine::run_with(const Prefix& prefix, Strategy& strategy, Scrutiny scrutiny, Output::Mode mode) {
  if (forks_) {
    output_.begin_run(mode, true);
    run_forked(prefix, strategy, scrutiny);
  } else if (const Waypoint* from = waypoint_for(prefix, scrutiny, mode)) {
    output_.begin_run(mode, false, from->output);
    run_from(*from, prefix, strategy);
  } else {
    output_.begin_run(mode, false);
    if (restores_) snapshot_.restore();
    run_here(prefix, strategy, scrutiny);
  }
  free_loader_locks();
  if (memory_.record->outcome.end == End::hang) note_hang();
  name_locations();
  read_trace();
  return trace_;
}

/// In a library that is not instrumented nobody sees what a thread waits for.
void Engine::note_hang() {
  Dl_info module{};
  if (dladdr(memory_.record->outcome.site, &module) == 0 || module.dli_fname == nullptr) return;
  const std::uintptr_t headers_of_program = getauxval(AT_PHDR);
  if (headers_of_program - reinterpret_cast<std::uintptr_t>(module.dli_fbase) < page_size) return;
  const std::string_view path = module.dli_fname;
  memory_.record->note(fmt::format("a thread went on for too long in {}, and nothing of that was visible",
                                   path.substr(path.rfind('/') + 1)));
}

void Engine::run_here(const Prefix& prefix, Strategy& strategy, Scrutiny scrutiny) {
  reset_services();
  scheduler_->begin_run(prefix, strategy, scrutiny);
  PhaseScope scope(Phase::program);
  scheduler_->run(body_.function, body_.argument, body_.floating_point);
}

/// Where the run can go on, if an earlier one has left a waypoint there; it may leave more. What is looked at closely
/// has to be seen from the beginning, and where threads wait in loops, what earlier runs left on their stacks matters.
const Waypoint* Engine::waypoint_for(const Prefix& prefix, Scrutiny scrutiny, Output::Mode mode) {
  const bool may_resume = resumes_ && scrutiny == Scrutiny::ordinary && memory_.record->loops.empty();
  if (!may_resume || std::exchange(waypoints_mode_, mode) != mode) waypoints_.clear();
  const Waypoint* const from =
      may_resume ? waypoints_.find(prefix, memory_.events.first(memory_.record->steps)) : nullptr;
  scheduler_->leave_waypoints(may_resume ? &waypoints_ : nullptr);
  return from;
}

void Engine::run_from(const Waypoint& waypoint, const Prefix& prefix, Strategy& strategy) {
  reset_services();
  resume_services(waypoint.services);
  snapshot_.restore_from(waypoint.hot_pages);
  PhaseScope scope(Phase::program);
  scheduler_->resume(waypoint, prefix, strategy);
}

void Engine::read_trace() {
  RunRecord& record = *memory_.record;
  // A run that ended early did not come to the end of its prefix.
  record.prefix = std::min(record.prefix, record.steps);
  trace_.events = memory_.events.first(record.steps);
  trace_.prefix = record.prefix;
  trace_.choices = memory_.choices.first(record.choice_count);
  trace_.threads = record.threads;
  trace_.raced = record.raced;
  trace_.outcome = &record.outcome;
  trace_.links = memory_.links.first(record.link_count);
  trace_.pending = memory_.pending.first(record.pending_count);
  trace_.locations = memory_.locations.first(record.steps);
  trace_.shares_more = record.visible_found != 0;
  trace_.in_part = record.in_part;
  trace_.spun = record.spun;
  trace_.polled_several = record.polled_several;
  trace_.entangled = record.entangled;
  trace_.identities = memory_.descent.identities();
  trace_.homes = scheduler_->homes();
  trace_.releases = {releases_visible_, readers_ordered_};
  trace_.knows_loops = !record.loops.empty();
  trace_.has_constructs = constructs_are_used;
}

/// Waits until the process of a run ends by itself (End::finished), or has to be ended.
End Engine::wait_for_end_of(pid_t child) const {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point moment) {
    return std::chrono::duration<double>(Clock::now() - moment).count();
  };
  constexpr int glance = 50;
  const Clock::time_point start = Clock::now();
  Clock::time_point unstopped = start;
  const int handle = static_cast<int>(NORN_REAL(syscall)(SYS_pidfd_open, child, 0));
  pollfd ended{handle, POLLIN, 0};
  End end = End::finished;
  while (NORN_REAL(poll)(&ended, 1, glance) <= 0 && end == End::finished) {
    if (!stop_requested) unstopped = Clock::now();
    if (options_.max_run_seconds > 0 && since(start) >= options_.max_run_seconds) end = End::hang;
    if (since(unstopped) >= patience_of_interrupter || is_late()) end = End::interrupted;
  }
  close(handle);
  return ended.revents != 0 ? End::finished : end;
}

/// A child process does the run and writes it to the shared record; its other effects die with it.
void Engine::run_forked(const Prefix& prefix, Strategy& strategy, Scrutiny scrutiny) {
  memory_.record->process_completed = false;
  const pid_t child = fork_norn();
  if (child < 0) fatal("cannot fork (too many processes?)");
  if (child == 0) run_in_child(prefix, strategy, scrutiny);
  const End cut = wait_for_end_of(child);
  if (cut != End::finished) NORN_REAL(kill)(child, SIGKILL);
  int status = 0;
  while (NORN_REAL(waitpid)(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (cut != End::finished) {
    memory_.record->outcome.end = cut;
  } else if (WIFSIGNALED(status)) {
    end_from_outside(End::crash, fmt::format("the process of the run was ended by signal {}", WTERMSIG(status)));
  } else if (!memory_.record->process_completed) {
    end_unnoticed(WEXITSTATUS(status));
  }
}

/// The process has ended itself in a way that Norn does not know: by another program that took its place, or by code
/// that does without the functions for it.
void Engine::end_unnoticed(int code) {
  constexpr std::string_view sentence = "the process of a run ended, or became another program, unnoticed";
  if (code != 0) return end_from_outside(End::exit_code, fmt::format("the program ended with exit code {}", code));
  memory_.record->note(sentence);
  end_from_outside(End::uncontrolled, sentence);
}

void Engine::end_from_outside(End end, std::string_view message) {
  Outcome& outcome = memory_.record->outcome;
  outcome.end = end;
  outcome.thread = main_thread;
  outcome.site = nullptr;
  outcome.set_message(message);
}

void Engine::run_in_child(const Prefix& prefix, Strategy& strategy, Scrutiny scrutiny) {
  struct Task {
    Engine& engine;
    const Prefix& prefix;
    Strategy& strategy;
    Scrutiny scrutiny;
  } task{*this, prefix, strategy, scrutiny};
  executor_.after_fork();
  executor_.drive(
      [](void* argument) {
        const Task& run = *static_cast<Task*>(argument);
        run.engine.run_here(run.prefix, run.strategy, run.scrutiny);
        reset_services();  // the flags of files are those of other processes, too
        run.engine.memory_.record->process_completed = true;
        NORN_REAL(_exit)(0);
      },
      &task);
  __builtin_unreachable();
}

/// What the last run found becomes visible. What overlaps is one object.
void Engine::accept_visible() {
  RunRecord& record = *memory_.record;
  const auto found = memory_.visible.subspan(record.visible_count, std::exchange(record.visible_found, 0));
  for (VisibleRange range : std::vector(found.begin(), found.end())) {
    const auto known = memory_.visible.first(record.visible_count);
    const auto meets = [&range](const VisibleRange& other) {
      return other.begin < range.end && range.begin < other.end;
    };
    for (const VisibleRange& other : known)
      if (meets(other)) range = {std::min(range.begin, other.begin), std::max(range.end, other.end)};
    const auto kept = std::remove_if(known.begin(), known.end(), meets) - known.begin();
    memory_.visible[static_cast<std::size_t>(kept)] = range;
    record.visible_count = static_cast<std::uint32_t>(kept) + 1;
  }
  const auto known = memory_.visible.first(record.visible_count);
  std::sort(known.begin(), known.end(), [](const VisibleRange& a, const VisibleRange& b) { return a.begin < b.begin; });
}

bool Engine::must_restart() {
  RunRecord& record = *memory_.record;
  const bool more_loops = record.loops.accept();
  const bool more_variables = record.visible_found != 0;
  accept_visible();
  const bool more_barriers = record.saw_uneven_barrier && !std::exchange(record.barriers_ordered, true);
  const bool more_sends = record.saw_poll && !std::exchange(record.sends_visible, true);
  const bool more_attempts = record.saw_try_in_group && !std::exchange(record.locks_one_by_one, true);
  const bool more_releases = record.saw_try_operation && !std::exchange(releases_visible_, true);
  if (more_releases) scheduler_->make_releases_visible();
  const bool more_order = record.saw_try_shared && !std::exchange(readers_ordered_, true);
  if (more_order) scheduler_->order_readers();
  const bool restarts =
      more_variables || more_loops || more_barriers || more_sends || more_releases || more_order || more_attempts;
  if (restarts) waypoints_.clear();
  return restarts;
}

/// Lines that the run came across for the first time. Behind what turns out to be a library's the caller is asked for.
void Engine::name_locations() {
  RunRecord& record = *memory_.record;
  Locations& locations = record.locations;
  trace_.unlocated = locations.without_room();
  if (!locations.has_postponed()) return;
  for (std::uint32_t round = 0; round < Locations::Stack::most; ++round) {
    std::set<std::uintptr_t> unnamed;
    locations.for_each_unnamed([&unnamed](std::uintptr_t address) { unnamed.insert(address); });
    if (unnamed.empty()) break;
    const std::vector<std::uintptr_t> asked(unnamed.begin(), unnamed.end());
    std::vector<Location> lines;
    if (line_names_ != nullptr) lines = line_names_->lines_of(asked);
    for (std::size_t i = 0; i < asked.size(); ++i)
      locations.set(asked[i], i < lines.size() ? lines[i] : Locations::first + locations.size());
  }
  for (Location& location : memory_.locations.first(record.steps)) {
    const bool had_none = location == Locations::unknown;
    location = locations.resolve(location);
    trace_.unlocated |= location == Locations::unknown && !had_none;
  }
  locations.forget_postponed();
}

LearnedFacts Engine::learned_facts() const {
  const RunRecord& record = *memory_.record;
  LearnedFacts facts{releases_visible_,
                     readers_ordered_,
                     record.barriers_ordered,
                     record.sends_visible,
                     record.locks_one_by_one,
                     {},
                     {}};
  for (const VisibleRange& range : memory_.visible.first(record.visible_count))
    facts.visible.emplace_back(range.begin, range.end);
  record.loops.for_each([&facts](const Place& place) {
    facts.loops.emplace_back(reinterpret_cast<std::uintptr_t>(place.site),
                             reinterpret_cast<std::uintptr_t>(place.object));
  });
  return facts;
}

std::span<const analysis::LockEdge> Engine::new_lock_order() {
  const RunRecord& record = *memory_.record;
  const std::span<const analysis::LockEdge> known(record.lock_edges, record.lock_edge_count);
  return known.subspan(std::exchange(lock_edges_known_, record.lock_edge_count));
}

std::vector<std::string> Engine::notes() const {
  const RunRecord& record = *memory_.record;
  return {record.notes, record.notes + record.note_count};
}

}  // namespace norn::exec
