#include "explore/dpor/foresight.hpp"

#include "support/hash.hpp"

namespace norn::dpor {

std::uint64_t Histories::after(std::uint64_t history, Op op, std::uint16_t alternative, std::uint32_t object,
                               std::uint64_t seen) {
  const std::uint64_t what = std::uint64_t{object} << 32 | static_cast<std::uint64_t>(op) << 16 | alternative;
  return combine(combine(history, what), seen);
}

Histories::Object& Histories::object(std::uint32_t number) {
  if (number >= objects_.size()) objects_.resize(number + 1U);
  Object& entry = objects_[number];
  if (entry.run != run_) entry = {run_, 0, false};
  return entry;
}

std::uint64_t Histories::add(const Event& event, std::uint32_t number) {
  Object& on = object(number);
  std::uint64_t& history = threads_[event.thread];
  history = after(history, event.op, event.alternative, number, on.written);
  if (event.effect == Effect::write) on.written = history;
  return history;
}

void Histories::created(ThreadId parent, ThreadId child) { threads_[child] = combine(threads_[parent], child); }

void Histories::joined(ThreadId thread, ThreadId other) {
  threads_[thread] = combine(threads_[thread], threads_[other]);
}

void Histories::released(ThreadId thread, std::uint32_t number) {
  Object& on = object(number);
  on.written = combine(on.written, threads_[thread]);
  on.released = true;
}

}  // namespace norn::dpor
