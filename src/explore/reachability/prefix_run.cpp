#include "explore/reachability/prefix_run.hpp"

#include <algorithm>

namespace norn::reachability {
namespace {

bool changes(const Event& event) { return event.effect == Effect::write && event.op != Op::withdraw; }

}  // namespace

/// Whether an operation changes its object, however it turns out.
bool PrefixRun::always_changes(Op op) const {
  switch (op) {
    case Op::barrier_meet:
    case Op::withdraw:
    case Op::yield:
    case Op::receive: return false;
    case Op::rwlock_read: return releases_.of_shares;
    default: return !can_look(op);
  }
}

void PrefixRun::begin(const Variant& variant, VisibleReleases releases) {
  variant_ = &variant;
  releases_ = releases;
  seen_ = 0;
  events_.assign(variant.threads.size(), 0);
  completed_.assign(variant.objects.size(), 0);
  received_.clear();
}

void PrefixRun::follow(std::span<const Event> events) {
  for (; seen_ < events.size(); ++seen_) {
    const Event& event = events[seen_];
    if (event.thread >= events_.size()) events_.resize(event.thread + 1U, 0);
    ++events_[event.thread];
    if (event.op == Op::receive) {
      const ThreadId sender = sender_of(event.alternative);
      const auto is_it = [&](const Received& one) { return one.sender == sender && one.port == event.object; };
      const auto known = std::find_if(received_.begin(), received_.end(), is_it);
      known == received_.end() ? received_.push_back({sender, event.object, 1}) : void(++known->count);
    } else if (const Variant::OnObject* on = variant_->find(event.object); on != nullptr && changes(event)) {
      ++completed_[static_cast<std::size_t>(on - variant_->objects.data())];
    }
  }
}

bool PrefixRun::is_at(const Ending& ending, ThreadId thread) const {
  if (thread != ending.thread || events_of(thread) != ending.index) return false;
  if (ending.object == nullptr) return true;
  const Variant::OnObject* on = variant_->find(ending.object);
  return on != nullptr && changes_of(*on) == ending.order;
}

bool PrefixRun::is_frozen() const {
  const void* object = variant_->end ? variant_->end->object : nullptr;
  return object != nullptr && changes_of(*variant_->find(object)) == variant_->end->order;
}

/// Nobody changes the object that the end finds in a certain state. What could turn out to be a look may try.
bool PrefixRun::is_kept_for_end(Choice choice, const Upcoming& upcoming) const {
  const Ending& end = *variant_->end;
  if (choice.thread == end.thread) return events_of(choice.thread) >= end.index;
  if (!is_frozen()) return false;
  const bool changes_it = upcoming.object == end.object && always_changes(upcoming.op);
  const bool gives_it_back = upcoming.mutex == end.object && releases_.of_locks;
  return changes_it || gives_it_back;
}

bool PrefixRun::allows(Choice choice, const Upcoming& upcoming) const {
  if (variant_->end && is_kept_for_end(choice, upcoming)) return false;
  switch (upcoming.op) {
    // None of these is ever changed.
    case Op::barrier_meet:
    case Op::withdraw:
    case Op::yield: return true;
    case Op::receive: return allows_message(choice, upcoming);
    case Op::rwlock_read: return !releases_.of_shares || allows_call(choice, upcoming);
    default: return can_look(upcoming.op) ? allows_look(choice, upcoming) : allows_call(choice, upcoming);
  }
}

/// A receiving event of the variant takes its partner, or, if it has none, something that was not there before.
bool PrefixRun::allows_message(Choice choice, const Upcoming& upcoming) const {
  const std::uint32_t index = events_of(choice.thread);
  const Variant::OnThread& on = variant_->of(choice.thread);
  const auto is_it = [index](const auto& one) { return one.first == index; };
  const auto known = std::find_if(on.received.begin(), on.received.end(), is_it);
  if (known == on.received.end()) return true;
  if (!known->second.is_open()) return choice.alternative == known->second.alternative;
  const ThreadId sender = sender_of(choice.alternative);
  const void* port = upcoming.ports[port_of(choice.alternative)];
  return !variant_->has_message(sender, port, received(sender, port));
}

bool PrefixRun::allows_call(Choice choice, const Upcoming& upcoming) const {
  if (upcoming.mutex != nullptr && releases_.of_locks && !allows_unlock(choice, upcoming.mutex)) return false;
  const Variant::OnObject* on = variant_->find(upcoming.object);
  return on == nullptr || allows_change(choice, events_of(choice.thread), upcoming.op, *on);
}

/// Who begins to wait for a condition gives back the mutex in the same step: its next event.
bool PrefixRun::allows_unlock(Choice wait, const void* mutex) const {
  const Variant::OnObject* on = variant_->find(mutex);
  return on == nullptr || allows_change({wait.thread, 0}, events_of(wait.thread) + 1, Op::mutex_unlock, *on);
}

bool PrefixRun::allows_change(Choice choice, std::uint32_t index, Op op, const Variant::OnObject& on) const {
  if (!may_change(on)) return false;
  const std::uint32_t order = changes_of(on);
  if (order >= on.partners.size()) return true;
  const Partner& partner = on.partners[order];
  if (partner.is_open()) return !variant_->has_call(choice.thread, index, op);
  return choice.thread == partner.thread && index == partner.index && choice.alternative == partner.alternative;
}

/// A look of the variant sees what it is to see, or, if that is not known, something that was not there before. If it
/// is not part of the variant it is free, but if it could turn out to be a change it waits like one.
bool PrefixRun::allows_look(Choice choice, const Upcoming& upcoming) const {
  const Variant::OnObject* on = variant_->find(upcoming.object);
  if (on == nullptr) return true;
  const std::uint32_t index = events_of(choice.thread);
  const std::uint32_t changes = changes_of(*on);
  for (const Variant::Look& look : on->looks)
    if (look.thread == choice.thread && look.index == index)
      return changes == look.state && (!look.may_change || may_change(*on, &look));
  const bool is_known = index < variant_->of(choice.thread).events;
  if (only_looks(upcoming.op)) return !is_known || changes > on->states;
  if (changes < on->partners.size()) return allows_change(choice, index, upcoming.op, *on);
  return may_change(*on) && (!is_known || changes > on->states);
}

bool PrefixRun::may_change(const Variant::OnObject& on, const Variant::Look* look) const {
  const std::uint32_t changes = changes_of(on);
  return std::all_of(on.looks.begin(), on.looks.end(), [&](const Variant::Look& other) {
    if (other.state != changes || &other == look || has_happened(other)) return true;
    return look != nullptr && other.may_change && !look->is_last;
  });
}

const Variant::Look* PrefixRun::find_early_change(std::span<const Event> events) const {
  const auto changed = [&](const Variant::Look& look) {
    std::uint32_t index = 0;
    for (const Event& event : events)
      if (event.thread == look.thread && index++ == look.index) return event.effect == Effect::write;
    return false;
  };
  for (const Variant::OnObject& on : variant_->objects) {
    for (const Variant::Look& look : on.looks) {
      const auto comes_too_late = [&](const Variant::Look& other) {
        return other.state == look.state && !has_happened(other);
      };
      if (look.may_change && !look.is_last && changed(look) &&
          std::any_of(on.looks.begin(), on.looks.end(), comes_too_late))
        return &look;
    }
  }
  return nullptr;
}

bool PrefixRun::is_done() const {
  return std::all_of(variant_->objects.begin(), variant_->objects.end(), [&](const Variant::OnObject& on) {
    const auto has_partner = [](const Partner& partner) { return !partner.is_open(); };
    const auto known = std::count_if(on.partners.begin(), on.partners.end(), has_partner);
    return changes_of(on) >= known &&
           std::all_of(on.looks.begin(), on.looks.end(), [&](const Variant::Look& look) { return has_happened(look); });
  });
}

std::uint32_t PrefixRun::received(ThreadId sender, const void* port) const {
  const auto is_it = [&](const Received& one) { return one.sender == sender && one.port == port; };
  const auto known = std::find_if(received_.begin(), received_.end(), is_it);
  return known == received_.end() ? 0 : known->count;
}

}  // namespace norn::reachability
