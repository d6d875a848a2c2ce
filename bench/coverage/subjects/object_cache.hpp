// A bounded cache of objects that forgets what was not used for longest and what is too old. The cache has a lock for
// its index, every entry one for its value, and the clock and the statistics have theirs, always taken in this order.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// Counts operations instead of seconds, so that a schedule determines what is too old.
class CacheClock {
 public:
  int tick() {
    const std::lock_guard guard(mutex_);
    return ++now_;
  }

  int now() const {
    const std::lock_guard guard(mutex_);
    return now_;
  }

  void advance(int ticks) {
    const std::lock_guard guard(mutex_);
    now_ += ticks;
  }

 private:
  mutable std::mutex mutex_;
  int now_ = 0;
};

struct CacheCounts {
  int hits = 0;
  int misses = 0;
  int stored = 0;
  int replaced = 0;
  int removed = 0;
  int evicted = 0;
  int expired = 0;
};

class CacheStatistics {
 public:
  void hit() {
    const std::lock_guard guard(mutex_);
    ++counts_.hits;
  }

  void miss() {
    const std::lock_guard guard(mutex_);
    ++counts_.misses;
  }

  void stored() {
    const std::lock_guard guard(mutex_);
    ++counts_.stored;
  }

  void replaced() {
    const std::lock_guard guard(mutex_);
    ++counts_.replaced;
  }

  void removed(int entries) {
    const std::lock_guard guard(mutex_);
    counts_.removed += entries;
  }

  void evicted() {
    const std::lock_guard guard(mutex_);
    ++counts_.evicted;
  }

  void expired() {
    const std::lock_guard guard(mutex_);
    ++counts_.expired;
  }

  CacheCounts counts() const {
    const std::lock_guard guard(mutex_);
    return counts_;
  }

  // Parts of a hundred, or nothing if nobody asked the cache yet.
  std::optional<int> hit_rate() const {
    const std::lock_guard guard(mutex_);
    const int lookups = counts_.hits + counts_.misses;
    if (lookups == 0) return std::nullopt;
    return 100 * counts_.hits / lookups;
  }

 private:
  mutable std::mutex mutex_;
  CacheCounts counts_;
};

// A value that one thread computes while others may already wait for it.
template <typename V>
class CacheEntry {
 public:
  explicit CacheEntry(int now) : used_(now) {}

  void store(V value, int now) {
    const std::lock_guard guard(mutex_);
    value_ = std::move(value);
    used_ = now;
    changed_.notify_all();
  }

  V wait(int now) {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [this] { return value_.has_value(); });
    used_ = std::max(used_, now);
    return *value_;
  }

  std::optional<V> use(int now) {
    const std::lock_guard guard(mutex_);
    used_ = std::max(used_, now);
    return value_;
  }

  std::optional<V> peek() const {
    const std::lock_guard guard(mutex_);
    return value_;
  }

  bool update(const std::function<V(const V&)>& change) {
    const std::lock_guard guard(mutex_);
    if (!value_) return false;
    value_ = change(*value_);
    return true;
  }

  bool ready() const {
    const std::lock_guard guard(mutex_);
    return value_.has_value();
  }

  bool unused_since(int time) const {
    const std::lock_guard guard(mutex_);
    return value_.has_value() && used_ < time;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<V> value_;
  int used_;
};

template <typename K, typename V>
class ObjectCache {
 public:
  ObjectCache(std::size_t capacity, int time_to_live) : capacity_(capacity), time_to_live_(time_to_live) {}

  void put(const K& key, V value) {
    const auto [entry, created] = find_or_create(key);
    if (!created) statistics_.replaced();
    entry->store(std::move(value), clock_.tick());
    trim();
  }

  std::optional<V> get(const K& key) {
    const auto entry = find(key);
    const auto value = entry ? entry->use(clock_.tick()) : std::nullopt;
    value ? statistics_.hit() : statistics_.miss();
    return value;
  }

  // Of several threads that miss the same key one loads the value, the others wait for it.
  V get_or_load(const K& key, const std::function<V(const K&)>& load) {
    const auto [entry, created] = find_or_create(key);
    if (!created) {
      statistics_.hit();
      return entry->wait(clock_.tick());
    }
    statistics_.miss();
    V value = load(key);
    entry->store(value, clock_.tick());
    trim();
    return value;
  }

  bool update(const K& key, const std::function<V(const V&)>& change) {
    std::shared_ptr<Entry> entry;
    {
      const std::lock_guard guard(mutex_);
      const auto found = index_.find(key);
      if (found == index_.end()) return false;
      touch(found->second);
      entry = found->second.entry;
    }
    return entry->update(change);
  }

  bool remove(const K& key) {
    const std::lock_guard guard(mutex_);
    const auto found = index_.find(key);
    if (found == index_.end() || !found->second.entry->ready()) return false;
    drop(found);
    statistics_.removed(1);
    return true;
  }

  bool contains(const K& key) const {
    const std::lock_guard guard(mutex_);
    return index_.contains(key);
  }

  std::size_t size() const {
    const std::lock_guard guard(mutex_);
    return index_.size();
  }

  std::vector<K> keys() const {
    const std::lock_guard guard(mutex_);
    return std::vector<K>(order_.begin(), order_.end());
  }

  std::vector<V> values() const {
    const std::lock_guard guard(mutex_);
    std::vector<V> result;
    for (const auto& key : order_) {
      if (const auto value = index_.at(key).entry->peek()) result.push_back(*value);
    }
    return result;
  }

  // Entries that a thread still loads stay, because others may wait for them.
  void clear() {
    const std::lock_guard guard(mutex_);
    int removed = 0;
    for (auto next = index_.begin(); next != index_.end();) {
      const auto place = next++;
      if (!place->second.entry->ready()) continue;
      drop(place);
      ++removed;
    }
    statistics_.removed(removed);
  }

  // What a cleaner calls from time to time. It looks at the entries without the lock of the cache.
  void clean() {
    const int oldest = clock_.now() - time_to_live();
    for (const auto& [key, entry] : snapshot()) {
      if (entry->unused_since(oldest)) expire(key, entry, oldest);
    }
  }

  void set_capacity(std::size_t capacity) {
    {
      const std::lock_guard guard(mutex_);
      capacity_ = capacity;
    }
    trim();
  }

  std::size_t capacity() const {
    const std::lock_guard guard(mutex_);
    return capacity_;
  }

  void set_time_to_live(int ticks) {
    const std::lock_guard guard(mutex_);
    time_to_live_ = ticks;
  }

  int time_to_live() const {
    const std::lock_guard guard(mutex_);
    return time_to_live_;
  }

  bool consistent() const {
    const std::lock_guard guard(mutex_);
    const bool known = std::all_of(order_.begin(), order_.end(), [&](const K& key) { return index_.contains(key); });
    const CacheCounts counts = statistics_.counts();
    const int left = counts.stored - counts.removed - counts.evicted - counts.expired;
    return known && order_.size() == index_.size() && index_.size() <= capacity_ &&
           static_cast<int>(index_.size()) == left;
  }

  CacheClock& clock() { return clock_; }
  const CacheStatistics& statistics() const { return statistics_; }

 private:
  using Entry = CacheEntry<V>;

  struct Slot {
    std::shared_ptr<Entry> entry;
    typename std::list<K>::iterator place;
  };
  using Index = std::unordered_map<K, Slot>;

  std::shared_ptr<Entry> find(const K& key) {
    const std::lock_guard guard(mutex_);
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    touch(found->second);
    return found->second.entry;
  }

  std::pair<std::shared_ptr<Entry>, bool> find_or_create(const K& key) {
    const std::lock_guard guard(mutex_);
    if (const auto found = index_.find(key); found != index_.end()) {
      touch(found->second);
      return {found->second.entry, false};
    }
    order_.push_front(key);
    const auto entry = std::make_shared<Entry>(clock_.now());
    index_.emplace(key, Slot{entry, order_.begin()});
    statistics_.stored();
    return {entry, true};
  }

  // An entry that is still loaded does not go, so the cache is too large for a moment; whoever loads it trims again.
  void trim() {
    const std::lock_guard guard(mutex_);
    for (auto place = order_.end(); index_.size() > capacity_ && place != order_.begin();) {
      const auto found = index_.find(*--place);
      if (!found->second.entry->ready()) continue;
      place = drop(found);
      statistics_.evicted();
    }
  }

  std::vector<std::pair<K, std::shared_ptr<Entry>>> snapshot() const {
    const std::lock_guard guard(mutex_);
    std::vector<std::pair<K, std::shared_ptr<Entry>>> result;
    for (const auto& key : order_) result.emplace_back(key, index_.at(key).entry);
    return result;
  }

  // Since the cleaner looked, the entry may have been used or replaced.
  void expire(const K& key, const std::shared_ptr<Entry>& entry, int oldest) {
    const std::lock_guard guard(mutex_);
    const auto found = index_.find(key);
    if (found == index_.end() || found->second.entry != entry || !entry->unused_since(oldest)) return;
    drop(found);
    statistics_.expired();
  }

  void touch(Slot& slot) { order_.splice(order_.begin(), order_, slot.place); }

  auto drop(typename Index::iterator found) {
    const auto after = order_.erase(found->second.place);
    index_.erase(found);
    return after;
  }

  mutable std::mutex mutex_;
  std::size_t capacity_;
  int time_to_live_;
  Index index_;
  std::list<K> order_;
  CacheClock clock_;
  CacheStatistics statistics_;
};

// The caches of a program by name.
template <typename K, typename V>
class CacheManager {
 public:
  using Cache = ObjectCache<K, V>;

  std::shared_ptr<Cache> open(const std::string& name, std::size_t capacity, int time_to_live) {
    const std::lock_guard guard(mutex_);
    auto& cache = caches_[name];
    if (!cache) cache = std::make_shared<Cache>(capacity, time_to_live);
    return cache;
  }

  std::shared_ptr<Cache> find(const std::string& name) const {
    const std::lock_guard guard(mutex_);
    const auto found = caches_.find(name);
    return found == caches_.end() ? nullptr : found->second;
  }

  bool close(const std::string& name) {
    const std::lock_guard guard(mutex_);
    return caches_.erase(name) > 0;
  }

  std::vector<std::string> names() const {
    const std::lock_guard guard(mutex_);
    std::vector<std::string> result;
    for (const auto& entry : caches_) result.push_back(entry.first);
    return result;
  }

  void clean_all() {
    for (const auto& cache : all()) cache->clean();
  }

  void clear_all() {
    for (const auto& cache : all()) cache->clear();
  }

 private:
  std::vector<std::shared_ptr<Cache>> all() const {
    const std::lock_guard guard(mutex_);
    std::vector<std::shared_ptr<Cache>> result;
    for (const auto& entry : caches_) result.push_back(entry.second);
    return result;
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Cache>> caches_;
};
