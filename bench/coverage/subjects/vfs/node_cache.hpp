// Nodes that were resolved lately, by path.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include "node.hpp"
#include "path.hpp"

namespace vfs {

class NodeCache {
 public:
  explicit NodeCache(std::size_t capacity) : capacity_(capacity) {}

  Node* find(const Path& path) {
    const std::lock_guard guard(mutex_);
    const auto found = slots_.find(path);
    if (found == slots_.end()) {
      ++misses_;
      return nullptr;
    }
    ++hits_;
    order_.splice(order_.begin(), order_, found->second.place);
    return found->second.node;
  }

  // To be asked before a path is resolved, see store.
  int generation() const {
    const std::lock_guard guard(mutex_);
    return generation_;
  }

  // If paths were forgotten since the generation was asked for, what was resolved may be out of date.
  bool store(const Path& path, Node& node, int generation) {
    const std::lock_guard guard(mutex_);
    if (generation != generation_ || slots_.contains(path)) return false;
    order_.push_front(path);
    slots_.emplace(path, Slot{&node, order_.begin()});
    if (slots_.size() > capacity_) {
      slots_.erase(order_.back());
      order_.pop_back();
    }
    return true;
  }

  // Forgets a path and all below.
  void forget(const Path& path) {
    const std::lock_guard guard(mutex_);
    ++generation_;
    for (auto next = slots_.begin(); next != slots_.end();) {
      const auto slot = next++;
      if (!slot->first.is_below_or_equal(path)) continue;
      order_.erase(slot->second.place);
      slots_.erase(slot);
    }
  }

  void clear() {
    const std::lock_guard guard(mutex_);
    ++generation_;
    slots_.clear();
    order_.clear();
  }

  std::size_t size() const {
    const std::lock_guard guard(mutex_);
    return slots_.size();
  }

  std::map<Path, Node*> snapshot() const {
    const std::lock_guard guard(mutex_);
    std::map<Path, Node*> result;
    for (const auto& [path, slot] : slots_) result.emplace(path, slot.node);
    return result;
  }

  int lookups() const {
    const std::lock_guard guard(mutex_);
    return hits_ + misses_;
  }

 private:
  struct Slot {
    Node* node = nullptr;
    std::list<Path>::iterator place;
  };

  mutable std::mutex mutex_;
  const std::size_t capacity_;
  std::map<Path, Slot> slots_;
  std::list<Path> order_;
  int generation_ = 0;
  int hits_ = 0;
  int misses_ = 0;
};

}  // namespace vfs
