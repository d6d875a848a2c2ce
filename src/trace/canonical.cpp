#include "trace/canonical.hpp"

#include <algorithm>
#include <iterator>

#include "support/hash.hpp"

namespace norn {
namespace {

std::uint64_t address_bits(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

}  // namespace

std::uint64_t CanonicalForm::fingerprint(std::span<const Event> events, std::span<const Identity> identities,
                                         std::span<const Home> homes) {
  identities_ = identities;
  homes_ = homes;
  ++run_;
  used_ = 0;
  std::fill(last_in_thread_.begin(), last_in_thread_.end(), 0);
  std::uint64_t sum = 0;
  for (const Event& event : events)
    if (!event.in_vain) sum += add(event);
  return sum;
}

std::uint64_t CanonicalForm::add(const Event& event) {
  if (event.thread >= last_in_thread_.size()) last_in_thread_.resize(event.thread + 1U);
  ObjectHistory& object = history(event.object);
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
  last_in_thread_[event.thread] = hash;
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

CanonicalForm::ObjectHistory& CanonicalForm::history(const void* object) {
  if (used_ * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = combine(address_bits(object), 1) & mask;; i = (i + 1) & mask) {
    ObjectHistory& entry = table_[i];
    if (entry.run != run_) {
      // Who a thread is stays the same, so it has the same name as in the last run.
      const bool is_known = entry.run != 0 && entry.object == object;
      entry = {object, run_, is_known ? entry.name : name(object), 0, 0};
      ++used_;
      return entry;
    }
    if (entry.object == object) return entry;
  }
}

void CanonicalForm::grow() {
  std::vector<ObjectHistory> old(table_.size() * 2);
  old.swap(table_);
  used_ = 0;
  for (const ObjectHistory& entry : old)
    if (entry.run == run_) history(entry.object) = entry;
}

}  // namespace norn
