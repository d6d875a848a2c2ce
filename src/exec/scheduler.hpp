#pragma once

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "exec/atomic_shapes.hpp"
#include "exec/executor.hpp"
#include "exec/record.hpp"
#include "exec/shared_writes.hpp"
#include "exec/snapshot.hpp"
#include "exec/spin.hpp"
#include "exec/standpoint.hpp"
#include "exec/thread.hpp"
#include "exec/traces.hpp"
#include "exec/watch.hpp"
#include "explore/strategy.hpp"
#include "support/options.hpp"

/// Does nothing: the place for a breakpoint when a run is replayed in a debugger.
extern "C" void norn_bug_found();

namespace norn::exec {

struct Waypoint;
class Waypoints;

/// Where the stack of the program ends and that of the interposed function it called last begins.
extern void* program_frame;

/// One run of the program: which thread moves when. Everything here happens on the virtual threads themselves:
/// a thread that comes to a visible operation decides who goes on, and if that is itself, nothing is switched.
class Scheduler final : public ThreadsView, private Standpoint {
 public:
  Scheduler(const Options& options, Executor& executor, const Snapshot& snapshot, const RunMemory& memory);

  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // The engine's side, between runs.

  [[nodiscard]] std::span<Thread> threads() { return std::span(threads_).first(slots_used_); }
  /// These have their places from the beginning.
  [[nodiscard]] std::span<const Thread> threads_of(std::size_t slots) const { return std::span(threads_).first(slots); }
  /// What is the threads' own.
  [[nodiscard]] std::span<const Home> homes() const { return homes_; }
  void begin_run(std::span<const Choice> prefix, Strategy& strategy, Scrutiny scrutiny);
  /// Runs `body` as the main thread, until the run is over.
  void run(void* (*body)(void*), void* argument, const FloatingPoint& floating_point);
  /// Instead of both: goes on from there.
  void resume(const Waypoint& from, std::span<const Choice> prefix, Strategy& strategy);
  /// The run that is about to begin leaves waypoints here; nullptr: none.
  void leave_waypoints(Waypoints* waypoints);
  /// Ends the run at its next event. Called by another OS thread.
  void cut_short() {
    if (may_be_cut_) step_limit_ = 0;
  }
  /// Releases become visible operations, because some operation can observe that a lock is held.
  void make_releases_visible() { releases_visible_ = true; }
  /// The same for locks that readers share.
  void order_readers() { readers_ordered_ = true; }

  // The program's side, on virtual threads.

  /// Waits until the scheduler chooses this operation; returns the alternative it chose.
  /// Inlined, so that the operation is written only once, to where it stays.
  [[gnu::always_inline]] std::uint16_t perform(const Operation& operation) {
    current_->pending = operation;
    return perform_pending();
  }
  /// The same for an operation that can observe that a lock is held. From now on releasing such locks is a visible
  /// operation.
  std::uint16_t perform_try(const Operation& operation) {
    (is_on_rwlock(operation.op) ? record_.saw_try_shared : record_.saw_try_operation) = true;
    if (!record_.locks_one_by_one) note_use(operation.object, LockUses::How::tried);
    rounds_.tries(*current_);
    const std::uint16_t alternative = perform(operation);
    if (record_.saw_try_in_group && !record_.locks_one_by_one) [[unlikely]]
      give_up_if_part(operation);
    return alternative;
  }
  /// Waits for something that is no choice of the scheduler's: another thread makes this one ready.
  void sleep(const Operation& operation) { perform(operation); }

  /// The run goes on without this thread.
  [[noreturn]] void stay_for_ever(const Operation& operation) {
    perform(operation);
    __builtin_unreachable();
  }

  /// nullptr when there may be no more threads.
  Thread* create(void* (*start)(void*), void* argument, const FloatingPoint& floating_point);
  [[noreturn]] void end_current_thread();
  [[noreturn]] void end_run(End end, const void* site, std::string_view message, const void* object = nullptr);
  /// The current thread ends and holds a lock that nobody else can give back.
  [[noreturn]] void end_with_kept_lock(const HeldLock& lock);
  /// The outcome has been written already.
  [[noreturn]] void leave_after_fault() {
    executor_.leave(*current_);
    __builtin_unreachable();
  }
  /// The run ends here because Norn cannot follow what the program does.
  [[noreturn]] void cut_uncontrolled(std::string_view what, const void* site);

  /// False on the driver, between runs.
  [[nodiscard]] bool in_run() const { return in_run_; }
  Thread& current() { return *current_; }
  Thread& thread(ThreadId id) { return threads_[id]; }
  [[nodiscard]] Upcoming upcoming(ThreadId id) const override {
    const Operation& operation = threads_[id].pending;
    const void* mutex = operation.op == Op::condition_wait ? operation.mutex : nullptr;
    return {operation.op,
            operation.object,
            operation.site,
            operation.argument,
            ports_of(operation),
            threads_[id].pending_location,
            mutex};
  }
  [[nodiscard]] std::span<const Event> events() const override { return events_.first(record_.steps); }
  [[nodiscard]] std::span<const Link> links() const override { return links_.first(record_.link_count); }
  [[nodiscard]] WaitingPlaces waiting_places() const override;
  [[nodiscard]] bool knows_waiting_places() const override { return !record_.loops.empty(); }
  [[nodiscard]] std::span<const Location> locations() const override { return locations_.first(record_.steps); }
  Thread* thread_of_handle(unsigned long handle);
  /// What a thread calls itself.
  ThreadName& name_of(ThreadId id) { return own_names_[id]; }
  /// What it is called unless it, or whoever created it, says otherwise.
  [[nodiscard]] const ThreadName& first_name() const { return first_name_; }
  [[nodiscard]] bool releases_visible() const { return releases_visible_; }
  [[nodiscard]] bool readers_ordered() const { return readers_ordered_; }
  [[nodiscard]] bool others_alive() const;
  /// Whether some other thread was never joined. Unlike whether it is alive, this is the same in equivalent runs.
  [[nodiscard]] bool others_unjoined() const;
  RunRecord& record() { return record_; }
  [[nodiscard]] const Options& options() const { return options_; }

  /// Whether the current thread may take these one after the other, as if at once.
  bool may_take_in_order(std::span<const norn_lockable> locks);

  /// The event of the operation just performed, to say what it turned out to be.
  Event& event() { return events_[record_.steps - 1]; }
  void commuted() {
    event().effect = Effect::read;
    changed_ = false;
  }
  /// It wrote what was there already. (That is no read: it has its place in the order of writes.)
  void unchanged() { changed_ = false; }

  /// Threads that sleep on `object`, the one that came first first.
  std::span<const ThreadId> sleepers(const void* object, Op op, Op timed);
  void spend_spurious_wakeup() { --spurious_left_; }
  /// Whether a call by `thread` to lock `mutex` would return now. A robust one can be taken from a dead thread.
  [[nodiscard]] bool can_take(const struct Mutex& mutex, ThreadId thread) const;
  std::uint64_t next_ticket() { return ++tickets_; }
  /// The current thread did something that others depend on, in the same breath as its last event.
  void link(LinkKind kind, const void* object, ThreadId other = no_thread, Op op = Op::none) {
    if (record_.link_count == links_.size()) [[unlikely]]
      return links_overflow();
    if (detailed_) [[unlikely]]
      note_link_stack();
    links_[record_.link_count++] = {record_.steps, kind, op, current_->id, other, object};
  }
  void make_ready(Thread& thread);

  /// After every event of this run, `predicate(argument)` must hold.
  void add_property(int (*predicate)(void*), void* argument, const char* message, const void* site);
  void check_properties() {
    if (!properties_.empty()) [[unlikely]]
      look_at_properties();
  }

  /// Ends the run if it has lost memory.
  void check_leaks(const void* site);
  /// Whether a block of this run, freed or not, begins at `address`.
  [[nodiscard]] bool is_block(const void* address) const {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const Thread* owner = Arena::owner_of(number, threads_);
    return owner != nullptr && owner->arena.block_at(number) == address;
  }

  /// The order of operations on different objects matters.
  void entangle(Entangled how) { record_.entangled = record_.entangled | how; }
  /// The current thread does an atomic operation on so many bytes.
  void touch_atomically(std::uintptr_t address, std::size_t size) {
    if (!shapes_.add(address, size)) [[unlikely]]
      entangle(Entangled::by_overlap);
  }

  /// Memory accesses and the order between threads.
  Watch& watch() { return watch_; }
  /// The current thread accesses memory, perhaps at a scheduling point.
  void access(std::uintptr_t address, std::size_t size, analysis::Access access, const void* site);
  /// It is about to free memory, perhaps at a scheduling point.
  void will_free(std::uintptr_t address, std::size_t size, const void* site);
  /// The current thread has done much that nobody saw. If it seems to wait for others, they go first.
  void look_at_computation(const void* site);
  /// The current thread lets others go first, in a loop perhaps in which nobody sees what it waits for.
  void give_way(const void* site);
  /// Grows whenever a thread changes something that others can see.
  [[nodiscard]] std::uint64_t progress() const { return changes_ + writes_; }
  [[nodiscard]] bool is_held(const void* lock) const;
  /// A lock in this block of memory that a thread holds; nullptr if there is none.
  [[nodiscard]] const void* held_within(const void* block, std::size_t size) const;
  [[nodiscard]] static bool holds(const Thread& thread, const void* lock);
  /// The current thread has got a lock.
  void took(const void* lock, Op op, const void* site);
  /// It gives a lock back, and publishes by it what it has done.
  void gave_back(const void* lock, bool by_event) {
    if (!by_event) link(LinkKind::released, lock);
    handed_over(lock);
  }
  /// It leaves what only one can be in. That is never an event: nobody can try whether it is free.
  void left(const void* door) {
    link(LinkKind::released, door);
    handed_over(door);
  }
  void handed_over(const void* door) {
    put_down(door);
    watch_.released(door);
  }
  /// It gives a lock back that others may have as well.
  void gave_back_share(const void* lock, const void* published_by) {
    if (!readers_ordered_) link(LinkKind::released, lock);
    put_down(lock);
    watch_.released_too(published_by);
  }

  /// Reads or advances the virtual time of the current thread.
  std::uint64_t now();
  void advance(std::uint64_t nanoseconds, const void* site);
  /// A release that is not visible still carries the time.
  void publish_time(const void* object);

 private:
  void access_visibly(std::span<std::byte> bytes, bool reads, const void* site);
  static const void* const* ports_of(const Operation& operation);
  /// If there is nothing, it is the program that crashes, not the scheduler later on.
  static void touch(const void* object) { static_cast<void>(*static_cast<const volatile char*>(object)); }
  /// Of the current thread. Not inlined: what it leaves on the stack must be below the frame of the interposed
  /// function, which is not cleared (exec/traces.hpp).
  [[gnu::noinline]] std::uint16_t perform_pending() {
    Thread& self = *current_;
    if (uses_memory(self.pending.op)) touch(self.pending.object);
    self.status = Status::pending;
    self.program_frame = program_frame;
    if (annotates_) [[unlikely]]
      annotate(self);
    self.lowest_frame = std::min(self.lowest_frame, reinterpret_cast<std::uintptr_t>(program_frame));
    self.idle_clock_reads = 0;
    if (accessor.patience != plain_patience) self.looked_around = record_.steps;
    accessor.patience = plain_patience;
    const std::uint64_t written = shared_writes.take();
    self.writes += written;
    writes_ += written;
    if (changed_) note_change();
    // Who gives way has looked at plain variables, which nobody is told of.
    const bool looks_around = self.pending.op != Op::yield;
    if (const std::uint32_t round = looks_around ? waits_.finished_round(self, record_.steps) : WaitDetector::no_round;
        round != WaitDetector::no_round) [[unlikely]]
      end_round(self, round);
    if (looks_around && !self.spinning && spin_.spins(self, record_.steps, changes_ - self.own_changes, threads_))
        [[unlikely]]
      spin(self);
    if (rounds_.watching()) [[unlikely]]
      end_if_back(self);
    go_on(self);
    return self.alternative;
  }
  void set_out(std::span<const Choice> prefix, Strategy& strategy, Scrutiny scrutiny);
  void run_from(Thread& first);
  void discard(Thread& thread);
  void leave_waypoint();
  [[nodiscard]] bool can_leave_waypoint() const;
  void save(Waypoint& waypoint);
  void go_back(const Waypoint& from);
  void go_on(Thread& self);
  void make_current(Thread& thread) {
    current_ = &thread;
    const auto [begin, end] = thread.own_memory();
    writes_ += shared_writes.turn_to(begin, end - begin);
    // It may be in the middle of an interposed function, which noted this long ago.
    program_frame = thread.program_frame;
    traces_limit = thread.traces_limit;
    watch_.follow(thread);
  }
  void annotate(Thread& self);
  static void note_stack(Thread& self);
  [[nodiscard]] Location locate(const Thread& self);
  void spin(Thread& self);
  void begin_spinning(Thread& self);
  void end_round(Thread& self, std::uint32_t round);
  [[nodiscard]] bool changed_since(const Thread& self, std::uint32_t round) const;
  void note_loop(const Thread& self);
  void end_if_back(Thread& self);
  void let_time_pass(Thread& self);
  void note_change();
  void wake_spinners(const Event& event);
  Thread& pick();
  Thread& take_ready();
  Thread* force(Choice wanted);
  Thread* let_last_go_on();
  void note_homes();
  void let_join(const Thread& ended);
  void collect_choices();
  void collect(Thread& thread);
  void collect_spinner(const Thread& thread);
  bool goes_on_anyway(Thread& thread);
  void collect_patient();
  void let_spinners_look();
  void let_spinners_go_round();
  void go_round_again(Thread& thread);
  [[nodiscard]] std::uint64_t state_before(const Operation& operation) const;
  void note_use(const void* lock, LockUses::How how) {
    if (record_.lock_uses.add(lock, how)) record_.saw_try_in_group = true;
  }
  void give_up_if_part(const Operation& operation);
  [[nodiscard]] static norn_lockable lockable(const HeldLock& held);
  [[nodiscard]] static bool has_as_part(const Thread& thread, const norn_lockable& lock);
  [[nodiscard]] const Thread* holder_of(const norn_lockable& lock) const;
  [[nodiscard]] bool could_have(const Thread& thread, const norn_lockable& lock) const;
  [[nodiscard]] const norn_lockable* first_missing(const Thread& thread) const;
  [[nodiscard]] bool waits_for_part() const;
  [[nodiscard]] bool is_first_of_equals() const;
  void add(const Thread& thread, std::uint16_t alternative = 0);
  void add_messages(const Thread& thread);
  void add_waiters(const Thread& thread, Op sleep, Op timed_sleep);
  std::size_t decide();
  std::size_t forced_choice(Choice wanted);
  void record_event(Thread& thread, Choice choice, std::size_t enabled);
  void put_down(const void* lock);
  void look_at_properties();
  void note_lock_order(const void* lock, Op op, const void* site);
  void meet_time(Thread& thread, const void* object);
  [[noreturn]] void nobody_can_move();
  void give_up_unless_stuck();
  [[noreturn]] void finish(End end, const Thread& culprit, const void* site, std::string_view message,
                           const void* object = nullptr, const CallStack* stack = nullptr);
  [[nodiscard]] const CallStack* last_stack() const;
  [[nodiscard]] ThreadId runner_of(const void* once) const;
  void list_blocked();
  void note_parts();
  void list_pending();
  [[noreturn]] void links_overflow();
  void note_link_stack();
  void list_held();

  const Options& options_;
  Executor& executor_;
  const Snapshot& snapshot_;
  RunRecord& record_;
  std::span<Event> events_;
  std::span<Choice> choices_;
  std::span<Link> links_;
  std::span<Pending> pending_;
  std::span<ThreadName> own_names_;
  std::span<CallStack> link_stacks_;
  ThreadName first_name_{};  ///< of the main thread, when a run begins
  const Descent& descent_;
  std::vector<Thread> threads_;
  std::vector<Home> homes_;  ///< by address
  WaitDetector waits_;
  SpinDetector spin_;
  RoundDetector rounds_;
  AtomicShapes shapes_;
  Watch watch_;
  bool wakes_any_;
  bool releases_visible_ = false;
  bool readers_ordered_ = false;
  volatile bool in_run_ = false;
  std::atomic<bool> may_be_cut_ = false;
  std::atomic<std::uint32_t> step_limit_ = 0;

  unsigned enabled_ = 0;  ///< choices collected for the step at hand
  std::span<const Choice> prefix_;
  Strategy* strategy_ = nullptr;
  bool detailed_ = false;
  bool follows_ = false;    ///< what is forced was possible before
  bool locates_;            ///< the strategy asks for the lines that operations come from
  bool annotates_ = false;  ///< one of the two
  std::span<CallStack> stacks_;
  std::span<Location> locations_;
  std::uint32_t goes_on_from_ = UINT32_MAX;  ///< Strategy::goes_on_from
  std::uint32_t waypoint_at_ = UINT32_MAX;   ///< the step before which a waypoint is wanted
  Waypoints* waypoints_ = nullptr;           ///< where it goes
  std::vector<ThreadId> sleepers_;
};

/// The run at hand; nullptr while the program is not under control.
extern Scheduler* scheduler;

}  // namespace norn::exec
