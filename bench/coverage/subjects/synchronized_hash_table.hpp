// A hash table behind a lock. Methods that change the number of entries return by how many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

template <typename K, typename V>
class SynchronizedHashTable {
 public:
  using Entry = std::pair<const K, V>;

  SynchronizedHashTable() = default;
  SynchronizedHashTable(std::initializer_list<Entry> entries) : entries_(entries) {}

  int put(const K& key, V value) {
    const Guard guard(mutex_);
    return entries_.insert_or_assign(key, std::move(value)).second ? 1 : 0;
  }

  int put_if_absent(const K& key, V value) {
    const Guard guard(mutex_);
    return contains_key(key) ? 0 : put(key, std::move(value));
  }

  int put_entries(const std::vector<Entry>& entries) {
    const Guard guard(mutex_);
    int change = 0;
    for (const auto& [key, value] : entries) change += put(key, value);
    return change;
  }

  int put_all(const SynchronizedHashTable& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    return put_entries(other.entries());
  }

  int put_all_absent(const SynchronizedHashTable& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    const std::size_t before = entries_.size();
    entries_.insert(other.entries_.begin(), other.entries_.end());
    return static_cast<int>(entries_.size() - before);
  }

  std::optional<V> get(const K& key) const {
    const Guard guard(mutex_);
    const auto found = entries_.find(key);
    return found == entries_.end() ? std::nullopt : std::optional<V>(found->second);
  }

  V get_or(const K& key, V otherwise) const {
    const Guard guard(mutex_);
    return get(key).value_or(std::move(otherwise));
  }

  bool replace(const K& key, V value) {
    const Guard guard(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return false;
    found->second = std::move(value);
    return true;
  }

  bool replace_if_equal(const K& key, const V& expected, V value) {
    const Guard guard(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end() || found->second != expected) return false;
    found->second = std::move(value);
    return true;
  }

  void replace_each(const std::function<V(const K&, const V&)>& replacement) {
    const Guard guard(mutex_);
    for (auto& [key, value] : entries_) value = replacement(key, value);
  }

  int compute_if_absent(const K& key, const std::function<V(const K&)>& compute) {
    const Guard guard(mutex_);
    return contains_key(key) ? 0 : put(key, compute(key));
  }

  bool compute_if_present(const K& key, const std::function<V(const V&)>& compute) {
    const Guard guard(mutex_);
    const auto value = get(key);
    return value && replace(key, compute(*value));
  }

  int merge(const K& key, V value, const std::function<V(const V&, const V&)>& combine) {
    const Guard guard(mutex_);
    const auto old_value = get(key);
    return put(key, old_value ? combine(*old_value, value) : value);
  }

  bool exchange(const K& one, const K& other) {
    const Guard guard(mutex_);
    const auto found = entries_.find(one);
    const auto found_other = entries_.find(other);
    if (found == entries_.end() || found_other == entries_.end()) return false;
    std::swap(found->second, found_other->second);
    return true;
  }

  int remove(const K& key) {
    const Guard guard(mutex_);
    return -static_cast<int>(entries_.erase(key));
  }

  int remove_if_equal(const K& key, const V& expected) {
    const Guard guard(mutex_);
    const auto value = get(key);
    return value && *value == expected ? remove(key) : 0;
  }

  std::optional<V> take(const K& key) {
    const Guard guard(mutex_);
    auto value = get(key);
    remove(key);
    return value;
  }

  int remove_value(const V& value) {
    const Guard guard(mutex_);
    return -static_cast<int>(std::erase_if(entries_, [&](const Entry& entry) { return entry.second == value; }));
  }

  int remove_if(const std::function<bool(const K&, const V&)>& condition) {
    const Guard guard(mutex_);
    const auto removed =
        std::erase_if(entries_, [&](const Entry& entry) { return condition(entry.first, entry.second); });
    return -static_cast<int>(removed);
  }

  int remove_all(const SynchronizedHashTable& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    int change = 0;
    for (const auto& key : other.keys()) change += remove(key);
    return change;
  }

  int retain_all(const SynchronizedHashTable& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    return remove_if([&](const K& key, const V&) { return !other.entries_.contains(key); });
  }

  int clear() {
    const Guard guard(mutex_);
    const auto removed = static_cast<int>(entries_.size());
    entries_.clear();
    return -removed;
  }

  bool contains_key(const K& key) const {
    const Guard guard(mutex_);
    return entries_.contains(key);
  }

  bool contains_value(const V& value) const {
    const Guard guard(mutex_);
    return key_of(value).has_value();
  }

  bool contains_entry(const K& key, const V& value) const {
    const Guard guard(mutex_);
    return get(key) == std::optional<V>(value);
  }

  bool contains_all(const SynchronizedHashTable& other) const {
    const Guard first(lower(other));
    const Guard second(upper(other));
    return std::all_of(other.entries_.begin(), other.entries_.end(),
                       [&](const Entry& entry) { return entries_.contains(entry.first); });
  }

  std::optional<K> key_of(const V& value) const {
    const Guard guard(mutex_);
    for (const auto& entry : entries_) {
      if (entry.second == value) return entry.first;
    }
    return std::nullopt;
  }

  std::size_t size() const {
    const Guard guard(mutex_);
    return entries_.size();
  }

  bool empty() const {
    const Guard guard(mutex_);
    return size() == 0;
  }

  std::size_t bucket_count() const {
    const Guard guard(mutex_);
    return entries_.bucket_count();
  }

  std::size_t longest_bucket() const {
    const Guard guard(mutex_);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < entries_.bucket_count(); ++i) longest = std::max(longest, entries_.bucket_size(i));
    return longest;
  }

  void rehash(std::size_t buckets) {
    const Guard guard(mutex_);
    entries_.rehash(buckets);
  }

  void reserve(std::size_t entries) {
    const Guard guard(mutex_);
    entries_.reserve(entries);
  }

  void for_each(const std::function<void(const K&, const V&)>& visit) const {
    const Guard guard(mutex_);
    for (const auto& [key, value] : entries_) visit(key, value);
  }

  std::vector<K> keys() const {
    const Guard guard(mutex_);
    std::vector<K> result;
    for (const auto& entry : entries_) result.push_back(entry.first);
    return result;
  }

  std::vector<V> values() const {
    const Guard guard(mutex_);
    std::vector<V> result;
    for (const auto& entry : entries_) result.push_back(entry.second);
    return result;
  }

  std::vector<Entry> entries() const {
    const Guard guard(mutex_);
    return std::vector<Entry>(entries_.begin(), entries_.end());
  }

  // The same for equal tables, in whatever order they keep their entries.
  std::size_t hash() const {
    const Guard guard(mutex_);
    std::size_t sum = 0;
    for (const auto& [key, value] : entries_) sum += std::hash<K>()(key) ^ std::hash<V>()(value);
    return sum;
  }

  bool equals(const SynchronizedHashTable& other) const {
    const Guard first(lower(other));
    const Guard second(upper(other));
    return entries_ == other.entries_;
  }

  void swap_with(SynchronizedHashTable& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    entries_.swap(other.entries_);
  }

  // Moves the entry if only the other table has the key.
  bool move_from(SynchronizedHashTable& other, const K& key) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    if (this == &other || contains_key(key)) return false;
    return entries_.insert(other.entries_.extract(key)).inserted;
  }

 private:
  // Methods call each other while they hold the lock, hence a recursive one.
  using Guard = std::lock_guard<std::recursive_mutex>;

  // Whoever needs the locks of two tables takes the one at the lower address first, so that no two threads wait for
  // each other.
  std::recursive_mutex& lower(const SynchronizedHashTable& other) const {
    return std::less<>()(this, &other) ? mutex_ : other.mutex_;
  }
  std::recursive_mutex& upper(const SynchronizedHashTable& other) const {
    return std::less<>()(this, &other) ? other.mutex_ : mutex_;
  }

  mutable std::recursive_mutex mutex_;
  std::unordered_map<K, V> entries_;
};
