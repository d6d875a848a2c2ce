// What happens in a file system, for those who want to know: at once in the thread that does it, or later from a queue.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "path.hpp"

namespace vfs {

enum class EventKind { created, written, renamed, removed, attributes_changed, mounted, unmounted };

struct Event {
  EventKind kind = EventKind::created;
  Path path;
  Path old_path;
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void notify(const Event& event) = 0;
};

// Listeners are called without the lock of the bus, so they may use the file system and even the bus. One that leaves
// may be called once more by a thread that is about to; it must outlive the bus.
class EventBus {
 public:
  void subscribe(Listener& listener, const Path& path) {
    const std::lock_guard guard(mutex_);
    subscriptions_.push_back({&listener, path});
  }

  void unsubscribe(Listener& listener) {
    const std::lock_guard guard(mutex_);
    std::erase_if(subscriptions_, [&](const Subscription& entry) { return entry.listener == &listener; });
  }

  void publish(const Event& event) {
    for (Listener* const listener : interested(event)) listener->notify(event);
  }

  std::size_t subscriptions() const {
    const std::lock_guard guard(mutex_);
    return subscriptions_.size();
  }

  int published() const {
    const std::lock_guard guard(mutex_);
    return published_;
  }

 private:
  struct Subscription {
    Listener* listener = nullptr;
    Path path;
  };

  std::vector<Listener*> interested(const Event& event) {
    const std::lock_guard guard(mutex_);
    ++published_;
    std::vector<Listener*> result;
    for (const auto& [listener, path] : subscriptions_) {
      if (event.path.is_below_or_equal(path)) result.push_back(listener);
    }
    return result;
  }

  mutable std::mutex mutex_;
  std::vector<Subscription> subscriptions_;
  int published_ = 0;
};

// Counts events of every kind.
class EventCounter : public Listener {
 public:
  void notify(const Event& event) override {
    const std::lock_guard guard(mutex_);
    ++counts_[event.kind];
  }

  int count(EventKind kind) const {
    const std::lock_guard guard(mutex_);
    const auto found = counts_.find(kind);
    return found == counts_.end() ? 0 : found->second;
  }

  int total() const {
    const std::lock_guard guard(mutex_);
    int sum = 0;
    for (const auto& entry : counts_) sum += entry.second;
    return sum;
  }

 private:
  mutable std::mutex mutex_;
  std::map<EventKind, int> counts_;
};

// Keeps events until someone takes them.
class EventQueue : public Listener {
 public:
  void notify(const Event& event) override {
    const std::lock_guard guard(mutex_);
    if (closed_) return;
    events_.push_back(event);
    changed_.notify_one();
  }

  // Waits for the next event; nothing once the queue is closed and empty.
  std::optional<Event> take() {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [this] { return closed_ || !events_.empty(); });
    if (events_.empty()) return std::nullopt;
    Event event = events_.front();
    events_.pop_front();
    return event;
  }

  std::optional<Event> try_take() {
    const std::lock_guard guard(mutex_);
    if (events_.empty()) return std::nullopt;
    Event event = events_.front();
    events_.pop_front();
    return event;
  }

  void close() {
    const std::lock_guard guard(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  std::size_t size() const {
    const std::lock_guard guard(mutex_);
    return events_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  bool closed_ = false;
};

// How many nodes have a name. Events of different threads may arrive in another order than they happened, but sums do
// not mind.
class NameIndex : public Listener {
 public:
  void notify(const Event& event) override {
    const std::lock_guard guard(mutex_);
    if (event.kind == EventKind::created || event.kind == EventKind::renamed) ++counts_[event.path.name()];
    if (event.kind == EventKind::removed) --counts_[event.path.name()];
    if (event.kind == EventKind::renamed) --counts_[event.old_path.name()];
  }

  int count(const std::string& name) const {
    const std::lock_guard guard(mutex_);
    const auto found = counts_.find(name);
    return found == counts_.end() ? 0 : found->second;
  }

  std::map<std::string, int> counts() const {
    const std::lock_guard guard(mutex_);
    std::map<std::string, int> result;
    for (const auto& entry : counts_) {
      if (entry.second != 0) result.insert(entry);
    }
    return result;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> counts_;
};

}  // namespace vfs
