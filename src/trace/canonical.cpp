#include "trace/canonical.hpp"

#include <algorithm>

#include "support/hash.hpp"

namespace norn {
namespace {

std::uint64_t address_bits(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

}  // namespace

/// Only when it has moved: until then, another process may be about to say who it is.
std::uint64_t CanonicalForm::name(ThreadId thread, std::span<const Identity> identities) {
  if (thread >= identities.size()) return thread;
  if (thread >= names_.size()) names_.resize(identities.size(), 0);
  if (names_[thread] == 0) {
    const Identity& identity = identities[thread];
    names_[thread] =
        identity.parent == no_thread ? thread + 1U : combine(name(identity.parent, identities), identity.nth);
  }
  return names_[thread];
}

std::uint64_t CanonicalForm::fingerprint(std::span<const Event> events, std::span<const Identity> identities) {
  ++run_;
  used_ = 0;
  std::fill(last_in_thread_.begin(), last_in_thread_.end(), 0);
  std::uint64_t sum = 0;
  for (const Event& event : events) {
    if (event.in_vain) continue;
    if (event.thread >= last_in_thread_.size()) last_in_thread_.resize(event.thread + 1U);
    ObjectHistory& object = history(event.object);
    std::uint64_t hash = combine(last_in_thread_[event.thread], name(event.thread, identities));
    hash = combine(hash, address_bits(event.object));
    hash = combine(hash, static_cast<std::uint64_t>(event.op) << 16 | event.alternative);
    hash = combine(hash, object.last_write);
    if (event.effect == Effect::write) {
      hash = combine(hash, object.reads_since);
      object.last_write = hash;
      object.reads_since = 0;
    } else {
      object.reads_since += hash;
    }
    last_in_thread_[event.thread] = hash;
    sum += hash;
  }
  return sum;
}

CanonicalForm::ObjectHistory& CanonicalForm::history(const void* object) {
  if (used_ * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = combine(address_bits(object), 1) & mask;; i = (i + 1) & mask) {
    ObjectHistory& entry = table_[i];
    if (entry.run != run_) {
      entry = {object, run_, 0, 0};
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
