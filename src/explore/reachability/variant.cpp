#include "explore/reachability/variant.hpp"

#include <algorithm>

namespace norn::reachability {
namespace {

class Derivation {
 public:
  Derivation(const SynSequence& sequence, const std::vector<Change>& changes)
      : sequence_(sequence), changes_(changes), past_(sequence.width, 0) {}

  Variant derive() {
    variant_.threads.resize(sequence_.width);
    for (ThreadId thread = 0; thread < sequence_.width; ++thread) keep_events(thread);
    for (const Sending& message : sequence_.messages)
      if (is_kept(message.structure)) keep_message(message);
    for (const Change& change : changes_) {
      const Receiving& r = sequence_.receiving[change.receiving];
      note_past(r.structure);
      note_past(r.race_set[change.race].structure);
    }
    for (std::uint32_t i = 0; i < sequence_.receiving.size(); ++i)
      if (is_kept(sequence_.receiving[i].structure)) keep_receiving(i);
    for (const Unmatched& r : sequence_.unmatched)
      if (is_kept(r.structure)) keep_unmatched(r);
    return std::move(variant_);
  }

 private:
  /// An event stays unless its control structure has a receiving event that is changed.
  [[nodiscard]] bool is_kept(Row structure) const {
    return std::none_of(changes_.begin(), changes_.end(), [&](const Change& change) {
      return sequence_.contains(structure, sequence_.receiving[change.receiving]);
    });
  }

  void keep_events(ThreadId thread) {
    for (const Row call : sequence_.calls[thread]) {
      if (!is_kept(call)) return;
      ++variant_.threads[thread].events;
    }
  }

  void keep_message(const Sending& message) {
    for (Variant::Messages& known : variant_.messages)
      if (known.sender == message.sender && known.port == message.port) return void(++known.count);
    variant_.messages.push_back({message.sender, message.port, 1});
  }

  void note_past(Row row) {
    for (unsigned i = 0; i < sequence_.width; ++i) past_[i] = std::max(past_[i], sequence_.row(row)[i]);
  }

  void keep_receiving(std::uint32_t i) {
    const Receiving& r = sequence_.receiving[i];
    const auto is_it = [i](const Change& change) { return change.receiving == i; };
    const auto change = std::find_if(changes_.begin(), changes_.end(), is_it);
    const bool is_changed = change != changes_.end();
    const Sending& s = is_changed ? r.race_set[change->race] : r.partner;
    Partner partner;
    if (is_kept(s.structure)) partner = {s.sender, s.alternative, s.index};
    // Whatever happens before a change, and the change itself, stays for ever.
    const bool is_black = r.is_black || is_changed || past_[r.thread] > r.index;
    if (r.is_message) {
      Variant::OnThread& on = variant_.threads[r.thread];
      on.received.emplace_back(r.index, partner);
      if (is_black) on.black = r.index + 1;
    } else {
      Variant::OnObject& on = on_object(r.object);
      on.partners.push_back(partner);
      if (is_black) on.black = static_cast<std::uint32_t>(on.partners.size());
    }
  }

  void keep_unmatched(const Unmatched& r) {
    if (r.thread == no_thread) return on_object(r.object).partners.push_back({});
    variant_.threads[r.thread].received.emplace_back(variant_.threads[r.thread].events - 1, Partner{});
  }

  Variant::OnObject& on_object(const void* object) {
    for (Variant::OnObject& known : variant_.objects)
      if (known.object == object) return known;
    return variant_.objects.emplace_back(Variant::OnObject{object, {}});
  }

  const SynSequence& sequence_;
  const std::vector<Change>& changes_;
  std::vector<Clock> past_;  ///< of what is changed
  Variant variant_;
};

}  // namespace

const Variant::OnObject* Variant::find(const void* object) const {
  for (const OnObject& known : objects)
    if (known.object == object) return &known;
  return nullptr;
}

const Variant::OnThread& Variant::of(ThreadId thread) const {
  static const OnThread nothing;
  return thread < threads.size() ? threads[thread] : nothing;
}

bool Variant::has_message(ThreadId sender, const void* port, std::uint32_t order) const {
  return std::any_of(messages.begin(), messages.end(), [&](const Messages& known) {
    return known.sender == sender && known.port == port && order < known.count;
  });
}

Variant derive(const SynSequence& sequence, const std::vector<Change>& changes) {
  return Derivation(sequence, changes).derive();
}

}  // namespace norn::reachability
