#include "trace/canonical.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "support/hash.hpp"

namespace norn {
namespace {

std::uint64_t address_bits(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

}  // namespace

std::uint64_t CanonicalForm::fingerprint(std::span<const Event> events, std::span<const Identity> identities,
                                         std::span<const Home> homes) {
  const bool others_names = identities.empty() != identities_.empty() || homes.data() != homes_.data();
  if (others_names) *this = {};
  identities_ = identities;
  homes_ = homes;
  std::size_t common = 0;
  while (common < std::min(steps_.size(), events.size()) && steps_[common].key == Key(events[common])) ++common;
  while (steps_.size() > common) take_back();
  for (const Event& event : events.subspan(common)) add(event);
  return steps_.empty() ? 0 : steps_.back().sum;
}

void CanonicalForm::add(const Event& event) {
  Step step{Key(event), event.thread, !event.in_vain};
  step.sum = steps_.empty() ? 0 : steps_.back().sum;
  if (step.counts) {
    if (event.thread >= last_in_thread_.size()) last_in_thread_.resize(event.thread + 1U);
    step.history = history(event.object);
    ObjectHistory& object = table_[step.history];
    step.last_write_before = object.last_write;
    step.reads_before = object.reads_since;
    step.thread_before = last_in_thread_[event.thread];
    step.sum += last_in_thread_[event.thread] = hash(event, object);
  }
  steps_.push_back(step);
}

void CanonicalForm::take_back() {
  const Step& step = steps_.back();
  if (step.counts) {
    ObjectHistory& object = table_[step.history];
    object.last_write = step.last_write_before;
    object.reads_since = step.reads_before;
    last_in_thread_[step.thread] = step.thread_before;
  }
  steps_.pop_back();
}

std::uint64_t CanonicalForm::hash(const Event& event, ObjectHistory& object) {
  std::uint64_t hash = combine(last_in_thread_[event.thread], name(event.thread));
  hash = combine(hash, object.name);
  const ThreadId other = named_by(event.op, event.alternative);
  const unsigned rest = other == no_thread ? event.alternative : event.alternative - unsigned{other};
  hash = combine(hash, static_cast<std::uint64_t>(event.op) << 16 | rest);
  if (other != no_thread) hash = combine(hash, name(other));
  hash = combine(hash, object.last_write);
  if (event.effect == Effect::write) {
    hash = combine(hash, object.reads_since);
    object.last_write = hash;
    object.reads_since = 0;
  } else {
    object.reads_since += hash;
  }
  return hash;
}

/// Only when it has moved: until then, another process may be about to say who it is.
std::uint64_t CanonicalForm::name(ThreadId thread) {
  if (thread >= identities_.size()) return thread;
  if (thread >= names_.size()) names_.resize(identities_.size(), 0);
  if (names_[thread] == 0) {
    const Identity& identity = identities_[thread];
    names_[thread] = identity.parent == no_thread ? thread + 1U : combine(name(identity.parent), identity.nth);
  }
  return names_[thread];
}

std::uint64_t CanonicalForm::name(const void* object) {
  const std::uint64_t address = address_bits(object);
  if (const ThreadId thread = thread_of_object(object); thread < identities_.size()) return combine(name(thread), 0);
  const auto is_after = [](std::uint64_t place, const Home& home) { return place < home.begin; };
  const auto next = std::upper_bound(homes_.begin(), homes_.end(), address, is_after);
  if (next == homes_.begin() || address >= std::prev(next)->end) return address;
  // From its end, where a stack begins.
  return combine(name(std::prev(next)->owner), std::prev(next)->end - address);
}

std::uint32_t CanonicalForm::history(const void* object) {
  if (used_ * 2 >= table_.size()) make_room();
  const std::size_t mask = table_.size() - 1;
  std::size_t i = combine(address_bits(object), 1) & mask;
  while (table_[i].is_used && table_[i].object != object) i = (i + 1) & mask;
  if (!table_[i].is_used) {
    table_[i] = {object, true, name(object), 0, 0};
    ++used_;
  }
  return static_cast<std::uint32_t>(i);
}

/// Objects that the run at hand has not met are as good as unknown.
void CanonicalForm::make_room() {
  const std::vector<ObjectHistory> old = std::exchange(table_, {});
  const auto is_met = [](const ObjectHistory& entry) { return (entry.last_write | entry.reads_since) != 0; };
  const auto met = static_cast<std::size_t>(std::count_if(old.begin(), old.end(), is_met));
  table_.resize(std::bit_ceil(4 * (met + 16)));
  used_ = 0;
  for (const ObjectHistory& entry : old)
    if (is_met(entry)) table_[history(entry.object)] = entry;
  for (Step& step : steps_)
    if (step.counts) step.history = history(step.key.object);
}

}  // namespace norn
