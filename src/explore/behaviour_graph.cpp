#include "explore/behaviour_graph.hpp"

#include "support/hash.hpp"

namespace norn {

BehaviourGraph::Object& BehaviourGraph::object(const void* address) {
  for (Object& known : objects_)
    if (known.address == address) return known;
  return objects_.emplace_back(Object{address, none, 0});
}

void BehaviourGraph::add(const Trace& trace) {
  objects_.clear();
  threads_.clear();
  for (const Event& event : trace.events) {
    if (event.in_vain) continue;
    if (event.thread >= threads_.size()) threads_.resize(event.thread + 1U, none);
    Object& on = object(event.object);
    const std::uint32_t before = threads_[event.thread];
    std::uint64_t key = combine(before, event.thread);
    key = combine(key, static_cast<std::uint64_t>(event.op) << 16 | event.alternative);
    key = combine(key, reinterpret_cast<std::uintptr_t>(event.object));
    key = combine(key, on.last_write);
    if (event.effect == Effect::write) key = combine(key, on.reads);
    const auto [known, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) {
      if (nodes_.size() == most_nodes) {
        numbers_.erase(known);
        is_cut_ = true;
        return;
      }
      nodes_.push_back({event.thread, event.alternative, event.op, event.object, event.site, before, on.last_write});
    }
    const std::uint32_t number = known->second;
    ++nodes_[number].runs;
    threads_[event.thread] = number;
    if (event.effect == Effect::write) {
      on.last_write = number;
      on.reads = 0;
    } else {
      on.reads += combine(number, 1);
    }
  }
}

}  // namespace norn
