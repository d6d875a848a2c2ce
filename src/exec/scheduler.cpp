#include "exec/scheduler.hpp"

#include <sys/prctl.h>

#include <algorithm>

#include "exec/backtrace.hpp"
#include "exec/prelude.hpp"
#include "support/random.hpp"
#include "trace/dependency.hpp"

namespace norn::exec {

Scheduler* scheduler = nullptr;
void* program_frame = nullptr;

namespace {

void thread_entry() {
  Thread& self = scheduler->current();
  erase_earlier_runs(self);
  self.result = self.start(self.argument);
  scheduler->end_current_thread();
}

}  // namespace

Scheduler::Scheduler(const Options& options, Executor& executor, const Snapshot& snapshot, const RunMemory& memory)
    : options_(options),
      executor_(executor),
      snapshot_(snapshot),
      record_(*memory.record),
      events_(memory.events),
      choices_(memory.choices),
      links_(memory.links),
      pending_(memory.pending),
      own_names_(memory.own_names),
      link_stacks_(memory.link_stacks),
      descent_(memory.descent),
      threads_(memory.descent.size()),
      waits_(snapshot, record_.loops, watch_),
      spin_(snapshot, record_.loops),
      rounds_(snapshot),
      watch_(options, memory, threads_),
      wakes_any_(options.wakeup == "any"),
      locates_(asks_for_lines(options)),
      stacks_(memory.stacks),
      locations_(memory.locations) {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    threads_[i].id = static_cast<ThreadId>(i);
    threads_[i].arena.reserve(static_cast<unsigned>(i));
  }
  prctl(PR_GET_NAME, first_name_.data());
  executor_.provide(threads_);
  note_homes();
}

/// The main thread has the same slot in every exploration.
void Scheduler::note_homes() {
  for (std::size_t i = 1; i < threads_.size(); ++i) {
    const auto heap = reinterpret_cast<std::uintptr_t>(threads_[i].arena.begin());
    homes_.push_back({heap, heap + Arena::region_size, threads_[i].id});
    const auto [begin, end] = threads_[i].own_memory();
    homes_.push_back({begin, end, threads_[i].id});
  }
  std::sort(homes_.begin(), homes_.end(), [](const Home& one, const Home& other) { return one.begin < other.begin; });
}

Scheduler::~Scheduler() {
  for (Thread& thread : threads_) {
    thread.arena.release();
    delete[] thread.locals_copy;
  }
}

void Scheduler::begin_run(std::span<const Choice> prefix, Strategy& strategy, Scrutiny scrutiny) {
  for (unsigned i = 0; i < slots_used_; ++i) discard(threads_[i]);
  set_out(prefix, strategy, scrutiny);
  slots_used_ = 1;
  ready_ = spinning_ = locks_held_ = 0;
  goes_round_ = no_thread;
  lets_others_move_ = false;
  rounds_.begin_run();
  changes_ = writes_ = 0;
  shared_writes.set(0);
  changed_ = false;
  spurious_left_ = options_.spurious;
  tickets_ = 0;
  properties_.clear();
  last_moved_ = no_thread;
  if (time_used_) times_.clear();
  time_used_ = false;
  record_.steps = record_.link_count = 0;
  record_.lock_uses.forget_from(0);
  record_.spun = record_.polled_several = false;
  record_.entangled = Entangled::nothing;
  shapes_.begin_run();
  gives_way_ = passed_over_ = yields_on_ = false;
  record_.threads = 0;
  watch_.begin_run(scrutiny);
}

/// What its threads have done is as if it had never been.
void Scheduler::discard(Thread& thread) {
  if (thread.status == Status::unused) return;
  thread.status = Status::unused;
  thread.arena.reset();
  snapshot_.restore_thread_locals(thread);
}

/// What the next run is to do, wherever it begins.
void Scheduler::set_out(std::span<const Choice> prefix, Strategy& strategy, Scrutiny scrutiny) {
  const bool detailed = scrutiny == Scrutiny::detailed;
  // What a closer look finds must be found; it is not worth much more time than what it is about.
  may_be_cut_.store(scrutiny == Scrutiny::ordinary, std::memory_order_relaxed);
  step_limit_.store(static_cast<std::uint32_t>(options_.max_steps), std::memory_order_relaxed);
  prefix_ = prefix;
  strategy_ = &strategy;
  goes_on_from_ = detailed || !record_.loops.empty() ? UINT32_MAX : strategy.goes_on_from();
  detailed_ = detailed;
  follows_ = scrutiny != Scrutiny::ordinary;
  annotates_ = detailed || locates_;
  record_.prefix = detailed ? 0 : static_cast<std::uint32_t>(prefix.size());
  record_.choice_count = record_.pending_count = 0;
  record_.outcome.end = End::finished;
  record_.blocked_count = record_.held_count = 0;
}

void Scheduler::run(void* (*body)(void*), void* argument, const FloatingPoint& floating_point) {
  Thread& main = threads_[main_thread];
  current_ = nullptr;
  create(body, argument, floating_point);
  take_ready();
  make_current(main);
  run_from(main);
}

void Scheduler::run_from(Thread& first) {
  in_run_ = true;
  executor_.run(first);
  in_run_ = false;
  traces_limit = 0;
  list_pending();
  note_parts();
  watch_.end_run();
  // A loop that waits for a plain variable has a data race with the thread that changes it.
  if (passed_over_ && !record_.raced)
    record_.note("a thread computes for so long without synchronizing that others had to go first");
  if (yields_on_ && !record_.raced)
    record_.note("a thread gives way again and again, waiting for something that is not visible");
  record_.heartbeat = record_.heartbeat + 1;
}

Thread* Scheduler::create(void* (*start)(void*), void* argument, const FloatingPoint& floating_point) {
  const ThreadId id = current_ == nullptr ? main_thread : descent_.child(current_->id, current_->last_child);
  if (id == no_thread) return nullptr;
  if (current_ != nullptr) current_->last_child = id;
  Thread& thread = threads_[id];
  thread.status = Status::ready;
  thread.last_child = no_thread;
  thread.detached = thread.joined = thread.awaited = thread.spinning = thread.reads_inputs = false;
  thread.clock_reads = thread.idle_clock_reads = thread.own_changes = 0;
  thread.time_passed = thread.slept = UINT64_MAX;
  thread.tries = 0;
  thread.tried = UINT64_MAX;
  thread.writes = thread.passed_deeds = 0;
  thread.passed_count = thread.looked_around = 0;
  thread.whereabouts = 0;
  thread.registers = 0;
  thread.held.clear();
  thread.step_depth = thread.parts = 0;
  thread.together = {};
  thread.computes_since = UINT32_MAX;
  thread.computes_long = thread.computes_in_vain = 0;
  thread.yields_since = UINT32_MAX;
  thread.yields = 0;
  thread.progress_seen = UINT64_MAX;
  watch_.created(current_ == nullptr ? no_thread : current_->id, id);
  thread.spin.forget();
  thread.changes_on_way = false;
  thread.once_more = 0;
  thread.start = start;
  thread.argument = argument;
  thread.result = nullptr;
  thread.first_code = nullptr;
  thread.dead_below = 0;
  thread.pending_stack.frames[0] = nullptr;
  thread.clock = current_ == nullptr ? prelude_clock.load() : current_->clock;
  thread.in_time_for = 0;
  thread.random = SplitMix64(id)();
  thread.destructors = nullptr;
  thread.cleanups = nullptr;
  std::fill_n(thread.keys, thread.keys_used, nullptr);
  thread.keys_used = 0;
  thread.cancel_disabled = thread.cancel_asynchronous = false;
  thread.lineage = 0;
  if (current_ != nullptr) thread.lineage = current_->lineage = lineage_after_creating(current_->lineage, id);
  own_names_[id] = current_ == nullptr ? first_name_ : own_names_[current_->id];
  if (current_ != nullptr) link(LinkKind::created, nullptr, id);
  executor_.prepare(thread, thread_entry, floating_point);
  thread.program_frame = thread.seat.stack_top;
  thread.traces_limit = record_.loops.empty() ? 0 : traces_limit_of(thread);
  if (thread.locals_copy == nullptr) snapshot_.take_thread_locals(thread);
  slots_used_ = std::max(slots_used_, id + 1U);
  ++record_.threads;
  ++ready_;
  return &thread;
}

void Scheduler::go_on(Thread& self) {
  Thread& next = pick();
  if (&next == &self) return;
  make_current(next);
  executor_.switch_to(self, next);
}

/// In a detailed run every operation gets its call stack, taken while its thread is still running.
void Scheduler::note_stack(Thread& self) { capture_stack(self.pending_stack); }

void Scheduler::note_link_stack() {
  if (record_.link_count < link_stacks_.size()) capture_stack(link_stacks_[record_.link_count]);
}

Thread& Scheduler::pick() {
  check_properties();
  if (ready_ != 0) return take_ready();
  if (changed_) note_change();
  if (record_.steps == waypoint_at_) [[unlikely]]
    leave_waypoint();
  if (record_.steps < prefix_.size())
    if (Thread* next = force(prefix_[record_.steps])) return *next;
  if (record_.steps >= goes_on_from_ && !is_time_for_others(record_.steps))
    if (Thread* next = let_last_go_on()) return *next;
  // Inside a step nobody else has a turn, unless the thread has to wait for others.
  enabled_ = 0;
  if (current_->step_depth != 0 && current_->status == Status::pending && current_->pending.op != Op::step_begin)
    collect(*current_);
  if (enabled_ == 0) collect_choices();
  if (enabled_ == 0) nobody_can_move();
  const std::uint32_t limit = step_limit_.load(std::memory_order_relaxed);
  if (record_.steps >= limit || record_.choice_count + enabled_ > choices_.size())
    end_run(limit == 0 ? End::interrupted : End::step_limit, current_->pending.site, {});
  const Choice choice = choices_[record_.choice_count + decide()];
  Thread& next = threads_[choice.thread];
  record_event(next, choice, enabled_);
  return next;
}

/// Most forced choices are possible whatever the others can do, so these are not asked. nullptr if it takes more to
/// know.
Thread* Scheduler::force(Choice wanted) {
  Thread& thread = threads_[wanted.thread];
  const bool knows = thread.status == Status::pending && !thread.spinning && current_->step_depth == 0 && !detailed_;
  if (!knows || goes_round_ != no_thread || record_.steps >= step_limit_.load(std::memory_order_relaxed))
    return nullptr;
  enabled_ = 0;
  collect(thread);
  const std::span<const Choice> its = choices_.subspan(record_.choice_count, enabled_);
  if (std::find(its.begin(), its.end(), wanted) == its.end()) return nullptr;
  record_event(thread, wanted, enabled_);
  return &thread;
}

/// nullptr if it cannot, or if there is more to see to.
Thread* Scheduler::let_last_go_on() {
  if (last_moved_ == no_thread) return nullptr;
  Thread& thread = threads_[last_moved_];
  if (thread.status != Status::pending || thread.spinning || current_->step_depth != 0) return nullptr;
  if (goes_round_ != no_thread) return nullptr;
  if (record_.steps >= step_limit_.load(std::memory_order_relaxed)) return nullptr;
  enabled_ = 0;
  collect(thread);
  if (enabled_ == 0 || record_.choice_count + enabled_ > choices_.size()) return nullptr;
  record_event(thread, choices_[record_.choice_count], enabled_);
  return &thread;
}

Thread& Scheduler::take_ready() {
  for (unsigned i = 0;; ++i) {
    if (threads_[i].status != Status::ready) continue;
    --ready_;
    threads_[i].status = Status::running;
    return threads_[i];
  }
}

void Scheduler::make_ready(Thread& thread) {
  link(LinkKind::woke, thread.pending.object, thread.id, thread.pending.op);
  thread.status = Status::ready;
  ++ready_;
  if (time_used_) thread.clock = std::max(thread.clock, current_->clock);
}

std::size_t Scheduler::decide() {
  if (record_.steps < prefix_.size()) return forced_choice(prefix_[record_.steps]);
  const std::span<const Choice> enabled = choices_.subspan(record_.choice_count, enabled_);
  const std::size_t index = strategy_->choose({record_.steps, last_moved_, enabled, this});
  if (index == give_up) end_run(End::repeats, current_->pending.site, {});
  if (index >= enabled.size()) end_run(End::diverged, current_->pending.site, {});
  return index;
}

std::size_t Scheduler::forced_choice(Choice wanted) {
  for (unsigned i = 0; i < enabled_; ++i)
    if (choices_[record_.choice_count + i] == wanted) return i;
  end_run(End::diverged, current_->pending.site, "a forced choice was not possible");
}

void Scheduler::record_event(Thread& thread, Choice choice, std::size_t enabled) {
  Operation& operation = thread.pending;
  const std::uint32_t step = record_.steps;
  events_[step] = {choice.thread,
                   choice.alternative,
                   operation.op,
                   Effect::write,
                   static_cast<std::uint16_t>(enabled),
                   false,
                   false,
                   false,
                   operation.object,
                   operation.site,
                   0,
                   state_before(operation),
                   operation.argument,
                   thread.whereabouts};
  // The choices of forced steps are known to whoever forced them; the others are kept, one step's after the other's.
  if (step >= prefix_.size() || detailed_) record_.choice_count += static_cast<std::uint32_t>(enabled);
  if (annotates_) [[unlikely]] {
    if (detailed_) stacks_[step] = thread.pending_stack;
    locations_[step] = thread.pending_location;
  }
  record_.steps = step + 1;
  thread.alternative = choice.alternative;
  thread.status = Status::running;
  if (thread.spinning) [[unlikely]]
    let_time_pass(thread);
  last_moved_ = choice.thread;
  // Who only computes makes no progress that anybody can see.
  if (operation.op != Op::yield) record_.heartbeat = record_.heartbeat + 1;
  if (time_used_) meet_time(thread, operation.object);
  changed_ = true;
}

void Scheduler::end_current_thread() {
  Thread& self = *current_;
  if ((releases_visible_ || readers_ordered_) && others_alive()) perform({Op::thread_end, nullptr, self.as_object()});
  self.status = Status::ended;
  watch_.left_stack(self);
  if (self.awaited) let_join(self);
  Thread& next = pick();
  make_current(next);
  executor_.leave_to(self, next);
  __builtin_unreachable();
}

void Scheduler::let_join(const Thread& ended) {
  for (Thread& other : threads())
    if (other.status == Status::pending && other.pending.op == Op::thread_join && other.pending.argument == ended.id)
      make_ready(other);
}

void Scheduler::access(std::uintptr_t address, std::size_t size, analysis::Access access, const void* site) {
  if (!is_atomic(access))
    if (const std::span<std::byte> bytes = watch_.visible(address, size); !bytes.empty())
      access_visibly(bytes, access == analysis::Access::read, site);
  watch_.access(address, size, access, site);
}

void Scheduler::will_free(std::uintptr_t address, std::size_t size, const void* site) {
  for (std::uintptr_t i = address; i < address + size;) {
    const std::span<std::byte> bytes = watch_.visible(i, address + size - i);
    if (bytes.empty()) return;
    access_visibly(bytes, false, site);
    i = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size());
  }
}

void Scheduler::access_visibly(std::span<std::byte> bytes, bool reads, const void* site) {
  shared_writes.give_up_looking();
  perform({reads ? Op::plain_read : Op::plain_write, site, bytes.data()});
  event().before = state::of_bytes(bytes.data(), bytes.size());
  if (reads) commuted();
}

Thread* Scheduler::thread_of_handle(unsigned long handle) {
  for (unsigned i = 0; i < slots_used_; ++i)
    if (threads_[i].status != Status::unused && threads_[i].seat.handle == handle) return &threads_[i];
  return nullptr;
}

bool Scheduler::others_alive() const {
  for (unsigned i = 0; i < slots_used_; ++i)
    if (threads_[i].alive() && &threads_[i] != current_) return true;
  return false;
}

bool Scheduler::others_unjoined() const {
  for (unsigned i = 0; i < slots_used_; ++i)
    if (threads_[i].status != Status::unused && !threads_[i].joined && &threads_[i] != current_) return true;
  return false;
}

std::span<const ThreadId> Scheduler::sleepers(const void* object, Op op, Op timed) {
  sleepers_.clear();
  for (unsigned i = 0; i < slots_used_; ++i) {
    const Thread& thread = threads_[i];
    if (thread.status == Status::pending && thread.pending.object == object &&
        (thread.pending.op == op || thread.pending.op == timed))
      sleepers_.push_back(thread.id);
  }
  const auto came_first = [this](ThreadId a, ThreadId b) {
    return threads_[a].pending.argument < threads_[b].pending.argument;
  };
  std::sort(sleepers_.begin(), sleepers_.end(), came_first);
  return sleepers_;
}

}  // namespace norn::exec
