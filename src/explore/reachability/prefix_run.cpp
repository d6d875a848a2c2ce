#include "explore/reachability/prefix_run.hpp"

#include <algorithm>

namespace norn::reachability {
namespace {

bool changes(const Event& event) { return event.effect == Effect::write && event.op != Op::withdraw; }

}  // namespace

void PrefixRun::begin(const Variant& variant) {
  variant_ = &variant;
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

bool PrefixRun::allows(Choice choice, const Upcoming& upcoming) const {
  switch (upcoming.op) {
    // None of these is ever changed.
    case Op::barrier_meet:
    case Op::withdraw:
    case Op::atomic_load:
    case Op::semaphore_value:
    case Op::plain_read: return true;
    default: break;
  }
  return upcoming.op == Op::receive ? allows_message(choice, upcoming) : allows_call(choice, upcoming);
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
  const Variant::OnObject* on = variant_->find(upcoming.object);
  if (on == nullptr) return true;
  const std::uint32_t order = completed_[static_cast<std::size_t>(on - variant_->objects.data())];
  if (order >= on->partners.size()) return true;
  const Partner& partner = on->partners[order];
  const std::uint32_t index = events_of(choice.thread);
  if (partner.is_open()) return index >= variant_->of(choice.thread).events;
  return choice.thread == partner.thread && index == partner.index && choice.alternative == partner.alternative;
}

std::uint32_t PrefixRun::received(ThreadId sender, const void* port) const {
  const auto is_it = [&](const Received& one) { return one.sender == sender && one.port == port; };
  const auto known = std::find_if(received_.begin(), received_.end(), is_it);
  return known == received_.end() ? 0 : known->count;
}

}  // namespace norn::reachability
