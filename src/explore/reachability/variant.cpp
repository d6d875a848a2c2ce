#include "explore/reachability/variant.hpp"

#include <algorithm>

#include "explore/reachability/endings.hpp"

namespace norn::reachability {
namespace {

class Derivation {
 public:
  Derivation(const SynSequence& sequence, const Changes& changes)
      : sequence_(sequence), changes_(changes), past_(changes.past(sequence)) {}

  Variant derive() {
    variant_.threads.resize(sequence_.width);
    find_end();
    for (ThreadId thread = 0; thread < sequence_.width; ++thread) keep_events(thread);
    for (const Sleep& sleep : sequence_.sleeps) keep_sleep(sleep);
    for (const Sending& message : sequence_.messages)
      if (is_kept(message.structure)) keep_message(message);
    for (const States& states : sequence_.objects) keep_states(states);
    for (std::uint32_t i = 0; i < sequence_.receiving.size(); ++i)
      if (is_kept(sequence_.receiving[i].structure)) keep_receiving(i);
    for (const Unmatched& r : sequence_.unmatched)
      if (is_kept(r.structure)) keep_unmatched(r);
    keep_endings();
    for (Variant::OnObject& on : variant_.objects) std::sort(on.looks.begin(), on.looks.end());
    return std::move(variant_);
  }

 private:
  [[nodiscard]] bool is_kept(Row structure) const { return changes_.keep(sequence_, structure); }

  void keep_events(ThreadId thread) {
    Variant::OnThread& on = variant_.threads[thread];
    for (const Row call : sequence_.calls[thread]) {
      if (!is_kept(call)) break;
      ++on.events;
    }
    // Whatever happens before a change, and the change itself, stays for ever.
    on.black = past_[thread];
  }

  /// A thread that sleeps may be woken instead, so its next event is another one, unless it stopped by itself for good.
  void keep_sleep(const Sleep& sleep) {
    Variant::OnThread& on = variant_.threads[sleep.thread];
    if (!sleep.is_woken && on.events == sleep.index + 1) --on.events;
    if (on.events == sleep.index && is_kept(sleep.structure)) on.may_expire = true;
  }

  void keep_message(const Sending& message) {
    for (Variant::Messages& known : variant_.messages)
      if (known.sender == message.sender && known.port == message.port) return void(++known.count);
    variant_.messages.push_back({message.sender, message.port, 1});
  }

  void keep_states(const States& states) {
    Variant::OnObject& on = on_object(states.object);
    while (on.states + 1 < states.after.size() && is_kept(states.after[on.states + 1])) ++on.states;
  }

  void keep_receiving(std::uint32_t i) {
    const Receiving& r = sequence_.receiving[i];
    if (is_end_or_after(r)) return;
    const Change* change = changes_.find(i);
    const Sending* s = change == nullptr ? &r.partner : Changes::new_partner(sequence_, *change);
    if (change == nullptr && !changes_.leave(sequence_, i)) s = nullptr;
    if (r.is_black && r.is_on_thread())
      variant_.threads[r.thread].black = std::max(variant_.threads[r.thread].black, r.index + 1);
    if (r.is_look) {
      if (s != nullptr && (change != nullptr || !r.changes_instead))
        on_object(r.object).looks.push_back({r.thread, r.index, s->order, s->may_change, is_last(i), s->op});
      return;
    }
    Partner partner;
    if (s != nullptr) partner = {s->sender, s->alternative, s->index, s->op};
    if (s != nullptr && r.is_message) partner = {s->sender, s->alternative, 0, Op::receive};
    if (r.is_message) return variant_.threads[r.thread].received.emplace_back(r.index, partner), void();
    Variant::OnObject& on = on_object(r.object);
    on.partners.push_back(partner);
    const bool stays = s != nullptr && (change != nullptr || past_[r.thread] > r.index);
    if (r.is_black || stays) on.black = static_cast<std::uint32_t>(on.partners.size());
  }

  [[nodiscard]] bool is_last(std::uint32_t look) const {
    return std::find(changes_.last.begin(), changes_.last.end(), look) != changes_.last.end();
  }

  void keep_unmatched(const Unmatched& r) {
    if (r.thread == no_thread) return on_object(r.object).partners.push_back({});
    variant_.threads[r.thread].received.emplace_back(variant_.threads[r.thread].events - 1, Partner{});
  }

  void find_end() {
    variant_.end = sequence_.end;
    if (changes_.end != none) variant_.end = sequence_.endings[changes_.end];
    for (const Change& change : changes_.changes) {
      const Sending* s = Changes::new_partner(sequence_, change);
      if (s != nullptr && s->ends) variant_.end = step_of(sequence_.receiving[change.receiving], *s);
    }
  }

  /// The end is no event, and it finds the object as nobody has changed it.
  [[nodiscard]] bool is_end_or_after(const Receiving& r) const {
    if (!variant_.end) return false;
    if (r.is_on_thread()) return r.thread == variant_.end->thread && r.index == variant_.end->index;
    return r.object == variant_.end->object && r.order >= variant_.end->order;
  }

  void keep_endings() {
    for (const Ending& ending : sequence_.endings)
      if (changes_.keep(sequence_, ending.past.data())) variant_.endings.push_back(ending);
    if (variant_.end) variant_.watch(*variant_.end);
    for (const Ending& ending : variant_.endings) variant_.watch(ending);
  }

  Variant::OnObject& on_object(const void* object) {
    for (Variant::OnObject& known : variant_.objects)
      if (known.object == object) return known;
    return variant_.objects.emplace_back(Variant::OnObject{object});
  }

  const SynSequence& sequence_;
  const Changes& changes_;
  std::vector<Clock> past_;  ///< of what is changed
  Variant variant_;
};

}  // namespace

const Variant::OnObject* Variant::find(const void* object) const {
  for (const OnObject& known : objects)
    if (known.object == object) return &known;
  return nullptr;
}

void Variant::watch(const Ending& ending) {
  if (ending.object != nullptr && find(ending.object) == nullptr) objects.push_back({ending.object});
}

const Variant::OnThread& Variant::of(ThreadId thread) const {
  static const OnThread nothing;
  return thread < threads.size() ? threads[thread] : nothing;
}

bool Variant::has_call(ThreadId thread, std::uint32_t index, Op op) const {
  const OnThread& on = of(thread);
  return index < on.events || (is_timed_sleep(op) && on.may_expire && index == on.events);
}

bool Variant::has_message(ThreadId sender, const void* port, std::uint32_t order) const {
  return std::any_of(messages.begin(), messages.end(), [&](const Messages& known) {
    return known.sender == sender && known.port == port && order < known.count;
  });
}

bool Variant::has_state(const void* object, std::uint32_t changes) const {
  const OnObject* on = find(object);
  return changes <= (on == nullptr ? 0 : on->states);
}

Variant derive(const SynSequence& sequence, const Changes& changes) { return Derivation(sequence, changes).derive(); }

}  // namespace norn::reachability
