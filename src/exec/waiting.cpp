// Threads that wait in loops, and the virtual time that passes for them.

#include <algorithm>
#include <utility>

#include "exec/scheduler.hpp"
#include "exec/virtual_time.hpp"

namespace norn::exec {

/// Going round a loop that waits, `self` has seen nothing that lets it out.
void Scheduler::end_round(Thread& self, std::uint32_t round) {
  self.spin.reads_clock = false;
  self.spin.round = round;
  self.changes_on_way = false;
  if (!changed_since(self, round)) begin_spinning(self);
  bool last = true;
  // Memory that it looks at besides may be another one elsewhere.
  const bool sees_more = self.looked_around > round;
  for (std::uint32_t i = record_.steps; i-- > round;) {
    if (events_[i].thread != self.id) continue;
    if (sees_more) events_[i].whereabouts = 0;
    events_[i].in_vain = true;
    events_[i].ends_round = std::exchange(last, false);
    // Another thread may have shown only some of the places, with objects of its own at the others.
    record_.loops.find({events_[i].site, events_[i].object});
  }
}

/// Whether another thread has changed something that `self` had already looked at in this round.
bool Scheduler::changed_since(const Thread& self, std::uint32_t round) const {
  for (std::uint32_t i = round; i < record_.steps; ++i) {
    if (!events_[i].changed || events_[i].thread == self.id) continue;
    const auto looked_at = [&](const Event& event) {
      return event.thread == self.id && event.object == events_[i].object;
    };
    if (std::any_of(&events_[round], &events_[i], looked_at)) return true;
  }
  return false;
}

/// A loop that waits for a plain variable would hang if others did not go first. But they must not have to go before a
/// thread that merely computes, which usually changes something on the way: plain accesses are no scheduling points.
void Scheduler::look_at_computation(const void* site) {
  constexpr std::uint32_t longest_in_vain = 4;
  constexpr std::uint32_t longest = 64;
  Thread& self = *current_;
  shared_writes.give_up_looking();
  const std::uint64_t progress = this->progress() + shared_writes.look();
  self.computes_in_vain = self.progress_seen == progress ? self.computes_in_vain + 1 : 0;
  self.progress_seen = progress;
  self.computes_long = self.computes_since == record_.steps ? self.computes_long + 1 : 0;
  self.computes_since = record_.steps;
  accessor.patience = plain_patience;
  const bool in_vain = self.computes_in_vain >= longest_in_vain;
  if (self.computes_long < (in_vain ? longest_in_vain : longest)) return;
  perform({Op::yield, site, nullptr});
  commuted();
}

/// Where there are events on the way, these tell what it waits for.
void Scheduler::give_way(const void* site) {
  constexpr std::uint32_t patience = 1024;
  Thread& self = *current_;
  self.yields = self.yields_since == record_.steps ? self.yields + 1 : 0;
  self.yields_since = record_.steps;
  if (self.yields < patience) return;
  yields_on_ = true;
  look_at_computation(site);
}

void Scheduler::spin(Thread& self) {
  self.changes_on_way = self.spin.deeds != self.deeds();
  if (!self.changes_on_way) note_loop(self);
  if (goes_round_ == self.id) goes_round_ = no_thread;
  record_.spun = true;
  begin_spinning(self);
}

/// It has gone round without changing anything.
void Scheduler::note_loop(const Thread& self) {
  const auto is_own = [&](const Link& link) { return link.thread == self.id && link.step > self.spin.round; };
  const std::span links = links_.first(record_.link_count);
  if (std::any_of(links.begin(), links.end(), is_own)) return;
  for (std::uint32_t i = self.spin.round; i < record_.steps; ++i)
    if (events_[i].thread == self.id) record_.loops.find({events_[i].site, events_[i].object});
}

Scheduler::WaitingPlaces Scheduler::waiting_places() const {
  WaitingPlaces places;
  record_.loops.for_each([&places](const Place& place) { places.emplace_back(place.site, place.object); });
  return places;
}

/// Time may be what it waits for, unless time has just passed and changed nothing.
void Scheduler::begin_spinning(Thread& self) {
  self.spinning = true;
  self.others_writes = writes_ - self.writes;
  self.waits_for_time = self.spin.reads_clock && self.time_passed != changes_ - self.own_changes;
  ++spinning_;
}

/// Only where it is free: a schedule that is forced is followed as it is.
void Scheduler::end_if_back(Thread& self) {
  if (!rounds_.is_back(self, changes_ - self.own_changes, threads()) || record_.steps < prefix_.size()) return;
  record_.spun = true;
  end_run(End::repeats, self.pending.site, {});
}

void Scheduler::let_time_pass(Thread& self) {
  self.spinning = false;
  --spinning_;
  self.time_passed = changes_ - self.own_changes;
  time_used_ = true;
  self.clock += time_step;
}

void Scheduler::note_change() {
  changed_ = false;
  event().changed = true;
  ++changes_;
  ++threads_[event().thread].own_changes;
  if (goes_round_ != event().thread) {
    goes_round_ = no_thread;
    lets_others_move_ = false;
  }
  if (spinning_ != 0) wake_spinners(event());
}

/// A spinning thread looks again when another one has changed something that it looked at in its last round.
void Scheduler::wake_spinners(const Event& event) {
  for (Thread& thread : std::span(threads_).first(slots_used_)) {
    if (!thread.spinning) continue;
    if (thread.id == event.thread) continue;
    for (std::uint32_t i = thread.spin.round; i < record_.steps - 1; ++i) {
      if (events_[i].thread != thread.id || events_[i].object != event.object) continue;
      thread.spinning = false;
      --spinning_;
      break;
    }
  }
}

std::uint64_t Scheduler::now() {
  // A thread that does nothing but look at the clock gets there fast.
  constexpr std::uint64_t patience = 64;
  constexpr std::uint64_t longest_tick = 40;
  const std::uint64_t idle = ++current_->idle_clock_reads;
  time_used_ = true;
  current_->clock += clock_tick << (idle > patience ? std::min(idle - patience, longest_tick) : 0);
  ++current_->clock_reads;
  const std::uint64_t in_time_for = std::exchange(current_->in_time_for, 0);
  return in_time_for == 0 ? current_->clock : std::min(current_->clock, in_time_for - 1);
}

/// Whoever sleeps again and again goes on at a full second, so that two rounds of a loop that sleeps differ in nothing
/// but seconds.
void Scheduler::advance(std::uint64_t nanoseconds, const void* site) {
  time_used_ = true;
  constexpr std::uint64_t end_of_time = UINT64_MAX / one_second * one_second;
  std::uint64_t& clock = current_->clock;
  clock = nanoseconds < end_of_time - clock ? clock + nanoseconds : end_of_time;
  const std::uint64_t changes = changes_ - current_->own_changes;
  if (current_->slept == changes && current_->slept_at == site)
    clock = (clock + one_second - 1) / one_second * one_second;
  current_->slept = changes;
  current_->slept_at = site;
}

void Scheduler::publish_time(const void* object) {
  if (time_used_) meet_time(*current_, object);
}

/// Time passes along happens-before: a thread never sees a clock earlier than one it was told of.
void Scheduler::meet_time(Thread& thread, const void* object) {
  const auto same = [object](const ObjectTime& time) { return time.object == object; };
  auto entry = std::find_if(times_.begin(), times_.end(), same);
  if (entry == times_.end()) entry = times_.insert(entry, {object, 0});
  entry->clock = thread.clock = std::max(entry->clock, thread.clock);
}

}  // namespace norn::exec
