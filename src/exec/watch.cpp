#include "exec/watch.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "exec/backtrace.hpp"
#include "exec/fatal.hpp"
#include "exec/process_heap.hpp"
#include "exec/real.hpp"
#include "exec/scheduler.hpp"
#include "exec/shared_writes.hpp"
#include "support/address.hpp"

namespace norn::exec {

using analysis::Access;
using analysis::AccessRecord;

analysis::Accessor accessor;
analysis::Shadow* shadow = nullptr;

namespace {

void* map_zeroes(std::size_t size) {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory = NORN_REAL(mmap)(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) fatal("cannot reserve address space to watch memory accesses (is `ulimit -v` set?)");
  return memory;
}

std::string_view verb(Access access) {
  switch (access) {
    case Access::read: return "reads";
    case Access::write: return "writes";
    case Access::atomic_read: return "atomically reads";
    case Access::atomic_write: return "atomically writes";
    case Access::free: return "frees";
  }
  return "uses";
}

/// Whether all of these bytes belong to a block that is in use.
bool is_in(const void* block, std::uintptr_t address, std::size_t size) {
  const BlockHeader& header = *header_of(const_cast<void*>(block));
  return address - reinterpret_cast<std::uintptr_t>(block) + size <= header.size && header.state != block_freed;
}

std::string bytes(std::size_t size) { return fmt::format("{} byte{}", size, size == 1 ? "" : "s"); }

}  // namespace

Watch::Watch(const Options& options, const RunMemory& memory, std::span<Thread> threads)
    : record_(*memory.record),
      threads_(threads),
      visible_(memory.visible),
      on_(options.watches()),
      plain_visible_(options.plain != "race"),
      shared_visible_(options.plain == "shared"),
      checks_memory_(options.memory == "fail"),
      detector_(static_cast<unsigned>(threads.size()), map_zeroes) {
  shadow = &detector_.shadow();
}

Watch::~Watch() { accessor = {}; }

void Watch::begin_run(Scrutiny scrutiny) {
  record_.visible_found = 0;
  record_.raced = false;
  record_.race_count = record_.access_count = 0;
  record_.block.begin = nullptr;
  // Where threads wait in loops, it matters whose stack others have written to (exec/spin.hpp).
  if (!on_ && !record_.loops.empty()) on_ = stacks_only_ = true;
  if (!on_) return;
  scrutiny_ = scrutiny;
  detector_.begin_run();
  freed_before_.clear();
  stacks_begin_ = UINTPTR_MAX;
  stacks_end_ = 0;
  if (scrutiny == Scrutiny::ordinary) return;
  history_.begin_run();
  details_.clear();
  blocks_.clear();
}

void Watch::save(State& state) {
  if (!on_) return;
  detector_.save(state.detector);
  state.stacks_begin = stacks_begin_;
  state.stacks_end = stacks_end_;
  state.freed_before = freed_before_;
}

void Watch::resume(const State& state) {
  record_.visible_found = 0;
  record_.race_count = record_.access_count = 0;
  record_.block.begin = nullptr;
  if (!on_) return;
  scrutiny_ = Scrutiny::ordinary;
  detector_.resume(state.detector);
  stacks_begin_ = state.stacks_begin;
  stacks_end_ = state.stacks_end;
  freed_before_ = state.freed_before;
}

/// Where every access is asked about, the key fits no cell.
void Watch::refresh() {
  constexpr std::uint64_t no_cell = std::uint64_t{1} << 16;
  const bool asks_always = plain_visible_ || scrutiny_ != Scrutiny::ordinary;
  accessor = {detector_.run_key() | (asks_always ? no_cell : 0), plain_patience, order().now(self_),
              order().clocks(self_)};
  if (!stacks_only_) return;
  accessor.watched_begin = stacks_begin_;
  accessor.watched_size = stacks_end_ - stacks_begin_;
}

void Watch::created(ThreadId parent, ThreadId child) {
  if (!on_) return;
  order().create(parent, child);
  threads_[child].stack_accesses.clear();
  const auto [stack_begin, stack_end] = threads_[child].own_memory();
  stacks_begin_ = std::min(stacks_begin_, stack_begin);
  stacks_end_ = std::max(stacks_end_, stack_end);
  if (shared_visible_) {
    known_from_start_.resize(threads_.size());
    known_from_start_[child].assign(order().clocks(child), order().clocks(child) + threads_.size());
  }
  if (parent != no_thread) refresh();
}

void Watch::joined(ThreadId ended) {
  if (on_) order().join(self_, ended);
}

void Watch::acquired(const void* object) {
  if (on_) order().acquire(self_, object);
}

void Watch::released(const void* object) {
  if (!on_) return;
  order().release(self_, object);
  accessor.epoch = order().now(self_);
}

void Watch::released_too(const void* object) {
  if (!on_) return;
  order().release_too(self_, object);
  accessor.epoch = order().now(self_);
}

void Watch::loaded(const void* object, int memory_order) {
  if (on_) order().load(self_, object, static_cast<analysis::Order>(memory_order));
}

void Watch::stored(const void* object, int memory_order) {
  if (!on_) return;
  order().store(self_, object, static_cast<analysis::Order>(memory_order));
  accessor.epoch = order().now(self_);
}

void Watch::updated(const void* object, int memory_order) {
  if (!on_) return;
  order().update(self_, object, static_cast<analysis::Order>(memory_order));
  accessor.epoch = order().now(self_);
}

void Watch::fenced(int memory_order) {
  if (!on_) return;
  order().fence(self_, static_cast<analysis::Order>(memory_order));
  accessor.epoch = order().now(self_);
}

AccessRecord Watch::record_of(std::uintptr_t address, std::size_t size, Access access, const void* site) const {
  return {self_, access, static_cast<std::uint32_t>(size), record_.steps, record_.link_count, 0, address, site};
}

void Watch::access(std::uintptr_t address, std::size_t size, Access access, const void* site) {
  if (!on_ || size == 0 || !accessor.cares_about(address)) return;
  if (checks_memory_ && detector_.is_new(address, size)) check_memory(address, size, access, site);
  if (shared_visible_ && detector_.conflicts(self_, address, size, access, known_from_start_[self_].data()))
    make_visible(address, size);
  if (plain_visible_ && is_atomic(access)) expect_same_object(address, size);
  if (!detector_.access(self_, address, size, access) && !stacks_only_) note_race(address, size);
  if (scrutiny_ != Scrutiny::ordinary) compare(record_of(address, size, access, site));
}

// Races.

/// Bytes that race are scheduling points from the next run on, if plain accesses can be.
void Watch::note_race(std::uintptr_t address, std::size_t size) {
  record_.raced = true;
  norn_bug_found();
  if (plain_visible_) make_visible(address, size);
}

/// From the next run on.
void Watch::make_visible(std::uintptr_t address, std::size_t size) {
  const auto contains = [&](const VisibleRange& range) {
    return range.begin <= address && address + size <= range.end;
  };
  if (const VisibleRange* range = find_visible(address, size); range != nullptr && contains(*range)) return;
  const auto found = visible_.subspan(record_.visible_count, record_.visible_found);
  if (std::any_of(found.begin(), found.end(), contains)) return;
  const std::uint32_t count = record_.visible_count + record_.visible_found;
  if (count == visible_.size())
    return record_.note(shared_visible_ ? "too many variables that threads share: accesses to some are not covered"
                                        : "too many racing variables for --plain visible");
  visible_[count] = {address, address + size};
  ++record_.visible_found;
}

/// The ranges that are visible already are in order and apart.
const VisibleRange* Watch::find_visible(std::uintptr_t address, std::size_t size) const {
  const auto known = visible_.first(record_.visible_count);
  const auto found = std::upper_bound(known.begin(), known.end(), address,
                                      [](std::uintptr_t at, const VisibleRange& range) { return at < range.end; });
  return found != known.end() && found->begin < address + size ? &*found : nullptr;
}

std::span<std::byte> Watch::visible(std::uintptr_t address, std::size_t size) const {
  const VisibleRange* range = plain_visible_ ? find_visible(address, size) : nullptr;
  if (range == nullptr) return {};
  return {reinterpret_cast<std::byte*>(range->begin), range->end - range->begin};
}

/// The object of an atomic operation is the bytes that it changes. So plain accesses to a part of them are accesses to
/// all of them. Those to more than that are taken to be independent of it.
void Watch::expect_same_object(std::uintptr_t address, std::size_t size) {
  const VisibleRange* range = find_visible(address, size);
  if (range == nullptr || (range->begin == address && range->end == address + size)) return;
  if (range->begin > address || range->end < address + size) return make_visible(address, size);
  record_.note(
      "plain accesses race with atomic operations on other bytes than theirs, and not all orders are explored");
}

void Watch::compare(const AccessRecord& found) {
  if (history_.knows(found, order().now(self_))) return;
  AccessRecord record = found;
  if (scrutiny_ == Scrutiny::detailed && is_asked_for(record.site)) record.details = add_detail();
  for (const AccessRecord& earlier : history_.add(record, order().now(self_), order().clocks(self_)))
    note_pair(earlier, record);
}

void Watch::note_pair(const AccessRecord& earlier, const AccessRecord& later) {
  if (record_.race_count == max_races) return;
  const auto same_places = [&](const analysis::Race& race) {
    return race.first.site == earlier.site && race.second.site == later.site;
  };
  const std::span<analysis::Race> known(record_.races, record_.race_count);
  if (std::any_of(known.begin(), known.end(), same_places)) return;
  record_.races[record_.race_count++] = {earlier, later};
  if (scrutiny_ != Scrutiny::detailed || earlier.details == 0 || later.details == 0 || record_.access_count != 0)
    return;
  // In a simpler run the other access may come first.
  if (std::minmax(record_.wanted_race.first, record_.wanted_race.second) != std::minmax(earlier.site, later.site))
    return;
  describe(record_.accesses[0], earlier);
  describe(record_.accesses[1], later);
  record_.access_count = 2;
  describe_block(later.address);
}

bool Watch::is_asked_for(const void* site) const {
  return site == record_.wanted_race.first || site == record_.wanted_race.second;
}

std::uint32_t Watch::add_detail() {
  Detail& detail = details_.emplace_back();
  capture_stack(detail.stack);
  detail.locks = threads_[self_].held;
  return static_cast<std::uint32_t>(details_.size());
}

void Watch::describe(WatchedAccess& into, const AccessRecord& record) {
  into.access = record;
  into.stack.frames[0] = nullptr;
  into.lock_count = 0;
  if (record.details == 0) return;
  const Detail& detail = details_[record.details - 1];
  into.stack = detail.stack;
  into.lock_count = static_cast<std::uint32_t>(std::min<std::size_t>(detail.locks.size(), max_locks));
  std::copy_n(detail.locks.begin(), into.lock_count, into.locks);
}

// Memory.

void Watch::check_memory(std::uintptr_t address, std::size_t size, Access access, const void* site) {
  if (in_arena(reinterpret_cast<const void*>(address))) return check_heap(address, size, access, site);
  for (const auto& [begin, block_size] : freed_before_)
    if (address < begin + block_size && begin < address + size)
      memory_error(fmt::format("use after free: it {} {} of a block that was freed", verb(access), bytes(size)),
                   address, size, access, reinterpret_cast<void*>(begin), site);
  check_stacks(address, size, access, site);
}

void Watch::check_stacks(std::uintptr_t address, std::size_t size, Access access, const void* site) {
  const auto look_at = [&](Thread& thread) {
    const auto [begin, end] = thread.own_memory();
    if (address < begin || address >= end) return false;
    thread.stack_accesses.emplace_back(address, size);
    if (thread.status == Status::ended && address >= number(thread.seat.stack_top))
      memory_error(fmt::format("use of a dead thread_local: it {} {} of the thread-local storage of a thread that has "
                               "ended",
                               verb(access), bytes(size)),
                   address, size, access, nullptr, site);
    if (thread.status == Status::ended)
      memory_error(fmt::format("use of a dead stack: it {} {} of the stack of a thread that has ended", verb(access),
                               bytes(size)),
                   address, size, access, nullptr, site);
    if (address < thread.dead_below && thread.id != self_)
      memory_error(fmt::format("use of a dead stack: it {} {} of the stack of a function that has returned",
                               verb(access), bytes(size)),
                   address, size, access, nullptr, site);
    return true;
  };
  if (address < stacks_begin_ || address >= stacks_end_ || look_at(threads_[self_])) return;
  for (Thread& thread : scheduler->threads())
    if (thread.status != Status::unused && look_at(thread)) return;
}

void Watch::check_heap(std::uintptr_t address, std::size_t size, Access access, const void* site) {
  const Thread* owner = Arena::owner_of(address, threads_);
  const void* block = owner == nullptr ? nullptr : owner->arena.block_at(address);
  if (block != nullptr && is_in(block, address, size)) return;
  const auto* next = owner == nullptr ? nullptr : static_cast<const char*>(owner->arena.block_after(address));
  const std::uintptr_t to_next = reinterpret_cast<std::uintptr_t>(next) - address;
  const auto report_underflow = [&] {
    memory_error(fmt::format("heap underflow: it {} {}, {} before a block of {}", verb(access), bytes(size),
                             bytes(to_next), bytes(header_of(const_cast<char*>(next))->size)),
                 address, size, access, next, site);
  };
  if (block == nullptr && next != nullptr && to_next <= sizeof(BlockHeader)) report_underflow();
  if (block == nullptr)
    memory_error(
        fmt::format("wild access: it {} {} of heap memory that was never allocated", verb(access), bytes(size)),
        address, size, access, nullptr, site);
  const BlockHeader& header = *header_of(const_cast<void*>(block));
  const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(block);
  if (next != nullptr && offset > header.size && to_next < offset - header.size) report_underflow();
  if (offset + size > header.size)
    memory_error(fmt::format("heap overflow: it {} {} at offset {} of a block of {}", verb(access), bytes(size), offset,
                             bytes(header.size)),
                 address, size, access, block, site);
  if (header.state == block_freed)
    memory_error(fmt::format("use after free: it {} {} at offset {} of a block of {} that was freed", verb(access),
                             bytes(size), offset, bytes(header.size)),
                 address, size, access, block, site);
}

void Watch::memory_error(std::string_view what, std::uintptr_t address, std::size_t size, Access access,
                         const void* block, const void* site) {
  // The run may have been done for a race, which is described already.
  if (record_.access_count == 0) {
    describe(record_.accesses[0], record_of(address, size, access, site));
    record_.access_count = 1;
    if (scrutiny_ == Scrutiny::detailed) {
      capture_stack(record_.accesses[0].stack);
      if (block != nullptr) describe_block(reinterpret_cast<std::uintptr_t>(block));
    }
  }
  scheduler->end_run(End::memory, site, what);
}

void Watch::allocated(void* block, bool recycled, const void* site) {
  if (!on_) return;
  if (recycled && scrutiny_ != Scrutiny::ordinary)
    history_.forget(reinterpret_cast<std::uintptr_t>(block), header_of(block)->size);
  if (scrutiny_ == Scrutiny::detailed) blocks_[block] = {life_now(site), {}};
}

void Watch::freed(void* block, std::size_t size, const void* site) {
  if (!on_ || size == 0) return;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  for (const auto& [begin, block_size] : freed_before_)
    if (begin == address)
      memory_error("double free: it frees a block that was freed before", address, size, Access::free, block, site);
  if (scrutiny_ != Scrutiny::ordinary) compare(record_of(address, size, Access::free, site));
  if (!detector_.free(self_, address, size)) note_race(address, size);
  if (scrutiny_ == Scrutiny::detailed) blocks_[block].freed = life_now(site);
  if (!in_arena(block)) freed_before_.emplace_back(address, size);
}

void Watch::mapped(std::uintptr_t address, std::size_t size) {
  if (!on_ || size == 0) return;
  detector_.visit_used(address, address + size,
                       [&](std::uintptr_t begin, std::size_t used) { detector_.forget(begin, begin + used); });
  if (scrutiny_ != Scrutiny::ordinary) history_.forget(address, size);
}

/// Only what has been used can race: whoever comes later crashes.
void Watch::unmapped(std::uintptr_t address, std::size_t size, const void* site) {
  if (!on_) return;
  detector_.visit_used(address, address + size, [&](std::uintptr_t begin, std::size_t used) {
    if (stacks_only_) return detector_.forget(begin, begin + used);
    if (scrutiny_ != Scrutiny::ordinary) compare(record_of(begin, used, Access::free, site));
    if (!detector_.free(self_, begin, used)) note_race(begin, used);
  });
}

/// As if the stack were freed. The place of that is where the thread began.
void Watch::left_stack(Thread& thread) {
  const auto* const start = static_cast<const char*>(thread.first_code);
  for (const auto& [address, size] : thread.stack_accesses) {
    if (start == nullptr || stacks_only_) {
      detector_.forget(address, address + size);
      continue;
    }
    if (scrutiny_ != Scrutiny::ordinary) compare(record_of(address, size, Access::free, start + 1));
    if (!detector_.free(self_, address, size)) note_race(address, size);
  }
  thread.stack_accesses.clear();
}

Watch::Life Watch::life_now(const void* site) const {
  Life life{self_, record_.steps, record_.link_count, site, {}};
  capture_stack(life.stack);
  return life;
}

/// What is known of the heap block that contains `address`.
void Watch::describe_block(std::uintptr_t address) {
  const void* block = reinterpret_cast<const void*>(address);
  if (in_arena(block)) {
    const Thread* owner = Arena::owner_of(address, threads_);
    block = owner == nullptr ? nullptr : owner->arena.block_at(address);
  } else {
    block = process_block_at(address);
  }
  const auto entry = blocks_.find(block);
  const bool is_known = entry != blocks_.end();
  if (block == nullptr || (in_arena(block) && !is_known)) return;
  const auto copy = [](BlockMoment& into, const Life& from) {
    into = {from.thread, from.step, from.links, from.site, from.stack};
  };
  record_.block.begin = block;
  record_.block.size = header_of(const_cast<void*>(block))->size;
  // Blocks of the process were there before the run.
  copy(record_.block.allocated, in_arena(block) ? entry->second.allocated : Life());
  copy(record_.block.freed, is_known ? entry->second.freed : Life());
}

}  // namespace norn::exec
