#include "analysis/races.hpp"

#include <algorithm>

namespace norn::analysis {
namespace {

unsigned mask_of(std::uintptr_t cell, std::uintptr_t begin, std::uintptr_t end) {
  const unsigned from = begin > cell ? static_cast<unsigned>(begin - cell) : 0;
  const unsigned to = end < cell + 4 ? static_cast<unsigned>(end - cell) : 4;
  return ((1U << to) - 1) & ~((1U << from) - 1);
}

constexpr std::uint64_t mask_bits = 0xf;

/// A run that uses more cells cannot be resumed.
constexpr std::size_t most_touched = std::size_t{1} << 20;

bool has(std::span<const Clock> all, Epoch one) {
  return thread_of(one) < all.size() && all[thread_of(one)] == clock_of(one);
}

/// Where a kind of access keeps its epoch.
unsigned slot_of(Access access) { return access == Access::free ? 1 : static_cast<unsigned>(access); }

}  // namespace

void RaceDetector::begin_run() {
  begin_stamp();
  happens_before_.begin_run();
  mixed_used_ = several_used_ = 0;
}

/// From now on, nothing is known of any cell.
void RaceDetector::begin_stamp() {
  if (++run_ == 0) {
    // Stamps begin anew: what has the old ones must not be taken for new.
    shadow_.forget_everything();
    run_ = 1;
  }
  touched_.clear();
}

bool RaceDetector::can_be_resumed() const { return touched_.size() < most_touched && happens_before_.can_be_resumed(); }

void RaceDetector::save(State& state) {
  happens_before_.save(state.happens_before);
  state.cells.clear();
  for (Cell* cell : touched_)
    if (cell->key >> 32 == run_) state.cells.emplace_back(cell, *cell);
  const auto end_of = [](auto& all, std::size_t count) { return all.begin() + static_cast<std::ptrdiff_t>(count); };
  state.mixed.assign(mixed_.begin(), end_of(mixed_, mixed_used_));
  state.several.assign(several_.begin(), end_of(several_, several_used_ * several_width()));
}

void RaceDetector::resume(const State& state) {
  begin_stamp();
  happens_before_.resume(state.happens_before);
  for (const auto& [cell, then] : state.cells) {
    *cell = then;
    cell->key = run_key() | (then.key & UINT32_MAX);
    touched_.push_back(cell);
  }
  std::copy(state.mixed.begin(), state.mixed.end(), mixed_.begin());
  std::copy(state.several.begin(), state.several.end(), several_.begin());
  mixed_used_ = state.mixed.size();
  several_used_ = state.several.size() / several_width();
}

bool RaceDetector::is_new(std::uintptr_t address, std::size_t size) const {
  const std::uintptr_t end = address + size;
  for (std::uintptr_t i = address & ~std::uintptr_t{3}; i < end; i += 4) {
    const Cell* cell = shadow_.find(i);
    if (cell == nullptr || cell->key >> 32 != run_) return true;
    const unsigned mask = mask_of(i, address, end);
    const unsigned used = (cell->key & mixed_kind) != 0 ? mixed_[cell->write].used : cell->key & mask_bits;
    if ((mask & ~used) != 0) return true;
  }
  return false;
}

/// The epochs of four bytes that have been accessed atomically, unless it would be a race if `thread` did so now.
Epoch* RaceDetector::atomic_slots(ThreadId thread, std::uintptr_t address) {
  const Cell* cell = shadow_.find(address);
  if (cell == nullptr || cell->key != (run_key() | mixed_kind)) return nullptr;
  Mixed& mixed = mixed_[cell->write];
  const bool fits = mixed.uniform == mask_bits && ordered(thread, mixed.slots[0][slot_of(Access::write)]);
  return fits ? mixed.slots[0] : nullptr;
}

bool RaceDetector::use(ThreadId thread, std::uintptr_t address) {
  Epoch* slots = atomic_slots(thread, address);
  if (slots == nullptr) return false;
  Epoch& mine = slots[slot_of(Access::atomic_read)];
  mine = with_reader(thread, mine);
  return true;
}

bool RaceDetector::is_shared(ThreadId thread, std::uintptr_t address) const {
  const Cell* cell = shadow_.find(address);
  if (cell == nullptr || cell->key >> 32 != run_) return false;
  const unsigned byte = address & 3;
  const auto is_others = [thread](Epoch write) { return write != 0 && thread_of(write) != thread; };
  if ((cell->key & mixed_kind) == 0) return (cell->key >> byte & 1) != 0 && is_others(cell->write);
  const Mixed& mixed = mixed_[cell->write];
  if ((mixed.used >> byte & 1) == 0) return false;
  const Epoch* slots = mixed.slots[mixed.uniform != 0 ? 0 : byte];
  const auto in = [slots](Access access) { return slots[slot_of(access)]; };
  return in(Access::atomic_read) != 0 || in(Access::atomic_write) != 0 || is_others(in(Access::write));
}

bool RaceDetector::is_others(ThreadId thread, Epoch slot, const Clock* known) const {
  if (slot == 0) return false;
  if (!is_several(slot)) return thread_of(slot) != thread && clock_of(slot) > known[thread_of(slot)];
  const std::span<const Clock> all = several(slot);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i != thread && all[i] > known[i]) return true;
  return false;
}

bool RaceDetector::conflicts(ThreadId thread, std::uintptr_t address, std::size_t size, Access access,
                             const Clock* known) const {
  const std::uintptr_t end = address + size;
  for (std::uintptr_t i = address & ~std::uintptr_t{3}; i < end; i += 4) {
    const Cell* cell = shadow_.find(i);
    if (cell == nullptr || cell->key >> 32 != run_) continue;
    const unsigned mask = mask_of(i, address, end);
    const auto meets = [&](Epoch written, Epoch read) {
      return is_others(thread, written, known) || (is_write(access) && is_others(thread, read, known));
    };
    if ((cell->key & mixed_kind) == 0) {
      if ((cell->key & mask) != 0 && meets(cell->write, cell->read)) return true;
      continue;
    }
    const Mixed& mixed = mixed_[cell->write];
    for (unsigned byte = 0; byte < 4; ++byte) {
      const Epoch* slots = mixed.slots[mixed.uniform != 0 ? 0 : byte];
      if ((mask & mixed.used & 1U << byte) != 0 && meets(slots[slot_of(Access::write)], slots[slot_of(Access::read)]))
        return true;
    }
  }
  return false;
}

bool RaceDetector::access(ThreadId thread, std::uintptr_t address, std::size_t size, Access access) {
  const std::uintptr_t end = address + size;
  bool clean = true;
  for (std::uintptr_t i = address & ~std::uintptr_t{3}; i < end; i += 4)
    clean &= access_cell(thread, shadow_.cell(i), mask_of(i, address, end), access);
  return clean;
}

bool RaceDetector::free(ThreadId thread, std::uintptr_t address, std::size_t size) {
  const std::uintptr_t end = address + size;
  bool clean = true;
  for (std::uintptr_t i = address & ~std::uintptr_t{3}; i < end; i += 4) {
    Cell* cell = shadow_.find(i);
    if (cell == nullptr) {
      i |= (std::uintptr_t{1} << Shadow::chunk_bits) - 4;
      continue;
    }
    if (cell->key >> 32 == run_) clean &= access_cell(thread, *cell, mask_of(i, address, end), Access::free);
    cell->key = 0;
  }
  return clean;
}

std::span<const RaceDetector::Range> RaceDetector::used_in_chunk(std::uintptr_t begin, std::uintptr_t end) {
  used_cells_.clear();
  used_ranges_.clear();
  const Cell* const first = shadow_.find(begin);
  if (first == nullptr) return {};
  const Cell* const last = first + (end - begin + 3) / 4;
  const auto add_if_used = [&](const Cell* cell) {
    if (cell->key >> 32 == run_) used_cells_.push_back(cell);
  };
  const bool knows_all = touched_.size() < most_touched;
  if (knows_all && touched_.size() < static_cast<std::size_t>(last - first)) {
    for (const Cell* cell : touched_)
      if (cell >= first && cell < last) add_if_used(cell);
    std::sort(used_cells_.begin(), used_cells_.end());
    used_cells_.erase(std::unique(used_cells_.begin(), used_cells_.end()), used_cells_.end());
  } else {
    for (const Cell* cell = first; cell < last; ++cell) add_if_used(cell);
  }
  for (const Cell* cell : used_cells_) {
    const std::uintptr_t address = begin + static_cast<std::uintptr_t>(cell - first) * 4;
    if (used_ranges_.empty() || used_ranges_.back().begin + used_ranges_.back().size != address)
      used_ranges_.push_back({address, 0});
    used_ranges_.back().size += 4;
  }
  return used_ranges_;
}

bool RaceDetector::access_cell(ThreadId thread, Cell& cell, unsigned mask, Access access) {
  const Epoch now = happens_before_.now(thread);
  if (cell.key >> 32 != run_) {
    cell = {run_key() | mask, 0, 0};
    if (touched_.size() < most_touched) touched_.push_back(&cell);
  }
  const bool simple = (cell.key & ~mask_bits) == run_key() && (cell.key & mask_bits) == mask && !is_atomic(access);
  if (simple && ordered(thread, cell.write)) {
    const bool after_reads = ordered(thread, cell.read);
    if (is_write(access)) {
      cell.write = now;
      cell.read = 0;
      return after_reads;
    }
    cell.read = with_reader(thread, cell.read);
    return true;
  }
  Mixed& mixed = mix(cell);
  if (mixed.uniform == mask) return access_slots(thread, mixed.slots[0], access);
  if (mixed.uniform != 0) {
    // From now on every byte counts for itself.
    for (unsigned i = 1; i < 4; ++i)
      if ((mixed.uniform >> i & 1) != 0) std::copy_n(mixed.slots[0], Mixed::kinds, mixed.slots[i]);
    if ((mixed.uniform & 1) == 0) std::fill_n(mixed.slots[0], Mixed::kinds, 0);
    mixed.uniform = 0;
  }
  mixed.used |= static_cast<std::uint8_t>(mask);
  bool clean = true;
  for (unsigned i = 0; i < 4; ++i)
    if ((mask >> i & 1) != 0) clean &= access_slots(thread, mixed.slots[i], access);
  return clean;
}

RaceDetector::Mixed& RaceDetector::mix(Cell& cell) {
  if ((cell.key & mixed_kind) != 0) return mixed_[cell.write];
  if (mixed_used_ == mixed_.size()) mixed_.resize(std::max<std::size_t>(64, mixed_.size() * 2));
  Mixed& mixed = mixed_[mixed_used_];
  mixed = {};
  mixed.uniform = mixed.used = static_cast<std::uint8_t>(cell.key & mask_bits);
  mixed.slots[0][slot_of(Access::write)] = cell.write;
  mixed.slots[0][slot_of(Access::read)] = cell.read;
  cell.key = run_key() | mixed_kind;
  cell.write = static_cast<Epoch>(mixed_used_++);
  return mixed;
}

bool RaceDetector::access_slots(ThreadId thread, Epoch* slots, Access access) {
  const bool writes = is_write(access);
  const bool atomic = is_atomic(access);
  const auto after = [&](Access other) { return ordered(thread, slots[slot_of(other)]); };
  // As `conflict` says.
  const bool clean = after(Access::write) && (!writes || after(Access::read)) &&
                     (atomic || (after(Access::atomic_write) && (!writes || after(Access::atomic_read))));
  Epoch& mine = slots[slot_of(access)];
  mine = writes && !atomic ? happens_before_.now(thread) : with_reader(thread, mine);
  return clean;
}

bool RaceDetector::after_several(ThreadId thread, Epoch slot) const {
  const Clock* clocks = happens_before_.clocks(thread);
  const std::span<const Clock> all = several(slot);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] > clocks[i]) return false;
  return true;
}

/// One more access of a kind that several threads can do at a time. Those that are ordered before it need not be kept.
Epoch RaceDetector::with_reader(ThreadId thread, Epoch slot) {
  const Epoch now = happens_before_.now(thread);
  if (slot == now || (is_several(slot) && has(several(slot), now))) return slot;
  if (ordered(thread, slot)) return now;
  Joined& joined = joined_[(slot * 31 ^ now) % joined_size];
  if (joined.run != run_ || joined.before != slot || joined.now != now)
    joined = {run_, slot, now, add_several(thread, slot)};
  return joined.after;
}

Epoch RaceDetector::add_several(ThreadId thread, Epoch before) {
  if ((several_used_ + 1) * several_width() > several_.size())
    several_.resize(std::max(16 * several_width(), several_.size() * 2));
  Clock* row = &several_[several_used_ * several_width()];
  const unsigned threads = *row = happens_before_.threads();
  const std::span<Clock> all(row + 1, threads);
  std::fill(all.begin(), all.end(), 0);
  if (is_several(before)) {
    const std::span<const Clock> others = several(before);
    std::copy(others.begin(), others.end(), all.begin());
  } else {
    all[thread_of(before)] = clock_of(before);
  }
  all[thread] = clock_of(happens_before_.now(thread));
  return make_epoch(several_threads, static_cast<Clock>(several_used_++));
}

}  // namespace norn::analysis
