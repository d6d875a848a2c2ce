#include "analysis/clocks.hpp"

#include <algorithm>

#include "support/hash.hpp"

namespace norn::analysis {

HappensBefore::HappensBefore(unsigned threads) : width_(threads), rows_(std::size_t{threads} * threads) {}

void HappensBefore::begin_run() {
  ++run_;
  used_ = 0;
  entries_ = 0;
  objects_.clear();
  overflowed_ = fences_used_ = false;
}

void HappensBefore::create(ThreadId parent, ThreadId child) {
  while (used_ <= child) add_column();
  Clock* clock = row(child);
  if (parent == no_thread) {
    std::fill_n(clock, used_, 0);
  } else {
    copy(clock, row(parent));
    tick(parent);
  }
  clock[child] = 1;
}

/// Only as many columns are in use as there are threads; nobody knows anything of a new one.
void HappensBefore::add_column() {
  for (unsigned i = 0; i <= used_; ++i) row(static_cast<ThreadId>(i))[used_] = 0;
  for (std::size_t i = 0; i < entries_; ++i) object_rows_[i * width_ + used_] = 0;
  ++used_;
}

void HappensBefore::join(ThreadId thread, ThreadId ended) { merge(row(thread), row(ended)); }

void HappensBefore::acquire(ThreadId thread, const void* object) {
  if (const Entry* entry = find(object)) learn(thread, *entry);
}

void HappensBefore::learn(ThreadId thread, const Entry& entry) {
  Clock* clock = row(thread);
  if (entry.last != 0 && clock[thread_of(entry.last)] >= clock_of(entry.last)) return;
  merge(clock, &object_rows_[std::size_t{entry.index} * width_]);
}

void HappensBefore::release(ThreadId thread, const void* object) {
  bool is_new = false;
  Entry& entry = find_or_add(object, is_new);
  copy(object_row(entry), row(thread));
  entry.last = now(thread);
  tick(thread);
}

void HappensBefore::release_too(ThreadId thread, const void* object) {
  bool is_new = false;
  Entry& entry = find_or_add(object, is_new);
  // Whoever knew all that the object published before publishes all of it again.
  const bool knows_all = is_new || (entry.last != 0 && row(thread)[thread_of(entry.last)] >= clock_of(entry.last));
  if (knows_all) {
    copy(object_row(entry), row(thread));
    entry.last = now(thread);
  } else {
    merge(object_row(entry), row(thread));
    entry.last = 0;
  }
  tick(thread);
}

void HappensBefore::load(ThreadId thread, const void* object, Order order) {
  const Entry* entry = find(object);
  if (entry == nullptr) return;
  if (acquires(order)) return learn(thread, *entry);
  merge(fences(thread).seen.data(), object_row(*entry));
}

void HappensBefore::store(ThreadId thread, const void* object, Order order) {
  if (releases(order)) return release(thread, object);
  // A relaxed store publishes nothing, or what was before the last release fence; it ends what was published before.
  const bool fenced = has_fenced(thread);
  if (!fenced && find(object) == nullptr) return;
  bool is_new = false;
  Entry& entry = find_or_add(object, is_new);
  entry.last = 0;
  if (fenced) {
    copy(object_row(entry), fences(thread).released.data());
  } else {
    std::fill_n(object_row(entry), used_, 0);
  }
}

void HappensBefore::update(ThreadId thread, const void* object, Order order) {
  load(thread, object, order);
  if (releases(order)) return release_too(thread, object);
  // A relaxed update goes on publishing what the store published that it follows (a release sequence).
  if (!has_fenced(thread)) return;
  bool is_new = false;
  Entry& entry = find_or_add(object, is_new);
  if (is_new) std::fill_n(object_row(entry), used_, 0);
  merge(object_row(entry), fences(thread).released.data());
  entry.last = 0;
}

void HappensBefore::fence(ThreadId thread, Order order) {
  Fences& mine = fences(thread);
  if (acquires(order)) merge(row(thread), mine.seen.data());
  if (!releases(order)) return;
  copy(mine.released.data(), row(thread));
  tick(thread);
}

HappensBefore::Fences& HappensBefore::fences(ThreadId thread) {
  fences_used_ = true;
  if (fences_.size() <= thread) fences_.resize(thread + 1U);
  Fences& mine = fences_[thread];
  if (mine.run != run_) {
    mine.run = run_;
    mine.released.assign(width_, 0);
    mine.seen.assign(width_, 0);
  }
  return mine;
}

HappensBefore::Entry* HappensBefore::find(const void* object) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = combine(reinterpret_cast<std::uintptr_t>(object), 1) & mask;; i = (i + 1) & mask) {
    Entry& entry = table_[i];
    if (entry.run != run_) return nullptr;
    if (entry.object == object) return &entry;
  }
}

HappensBefore::Entry& HappensBefore::find_or_add(const void* object, bool& is_new) {
  if (entries_ * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = combine(reinterpret_cast<std::uintptr_t>(object), 1) & mask;; i = (i + 1) & mask) {
    Entry& entry = table_[i];
    if (entry.run == run_ && entry.object == object) return entry;
    if (entry.run == run_) continue;
    is_new = true;
    entry = {object, run_, static_cast<std::uint32_t>(entries_++), 0};
    objects_.push_back(object);
    if (object_rows_.size() < entries_ * width_) object_rows_.resize(entries_ * width_);
    return entry;
  }
}

void HappensBefore::grow() {
  std::vector<Entry> old(table_.size() * 2);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Entry& entry : old) {
    if (entry.run != run_) continue;
    std::size_t i = combine(reinterpret_cast<std::uintptr_t>(entry.object), 1) & mask;
    while (table_[i].run == run_) i = (i + 1) & mask;
    table_[i] = entry;
  }
}

void HappensBefore::save(State& state) {
  state.used = used_;
  state.rows.resize(std::size_t{used_} * used_);
  for (unsigned i = 0; i < used_; ++i) copy(&state.rows[std::size_t{i} * used_], row(static_cast<ThreadId>(i)));
  state.objects.clear();
  state.object_rows.resize(entries_ * used_);
  for (std::size_t i = 0; i < entries_; ++i) {
    state.objects.emplace_back(objects_[i], find(objects_[i])->last);
    copy(&state.object_rows[i * used_], &object_rows_[i * width_]);
  }
}

void HappensBefore::resume(const State& state) {
  begin_run();
  used_ = state.used;
  for (unsigned i = 0; i < used_; ++i) copy(row(static_cast<ThreadId>(i)), &state.rows[std::size_t{i} * used_]);
  for (std::size_t i = 0; i < state.objects.size(); ++i) {
    bool is_new = false;
    Entry& entry = find_or_add(state.objects[i].first, is_new);
    entry.last = state.objects[i].second;
    copy(object_row(entry), &state.object_rows[i * used_]);
  }
}

void HappensBefore::merge(Clock* into, const Clock* from) const {
  for (unsigned i = 0; i < used_; ++i) into[i] = std::max(into[i], from[i]);
}

void HappensBefore::copy(Clock* into, const Clock* from) const {
  for (unsigned i = 0; i < used_; ++i) into[i] = from[i];
}

void HappensBefore::tick(ThreadId thread) {
  Clock& clock = row(thread)[thread];
  if (clock == last_clock) {
    overflowed_ = true;
  } else {
    ++clock;
  }
}

}  // namespace norn::analysis
