// A hash set behind a lock. Methods that change the number of elements return by how many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

template <typename T>
class SynchronizedHashSet {
 public:
  SynchronizedHashSet() = default;
  SynchronizedHashSet(std::initializer_list<T> items) : items_(items) {}

  int add(const T& item) {
    const std::lock_guard guard(mutex_);
    return items_.insert(item).second ? 1 : 0;
  }

  int add_items(const std::vector<T>& items) {
    const std::lock_guard guard(mutex_);
    const std::size_t before = items_.size();
    items_.insert(items.begin(), items.end());
    return grown(before);
  }

  int add_all(const SynchronizedHashSet& other) {
    if (this == &other) return 0;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    const std::size_t before = items_.size();
    items_.insert(other.items_.begin(), other.items_.end());
    return grown(before);
  }

  int remove(const T& item) {
    const std::lock_guard guard(mutex_);
    return -static_cast<int>(items_.erase(item));
  }

  // Which item it is does not matter to the caller.
  std::optional<T> take_any() {
    const std::lock_guard guard(mutex_);
    if (items_.empty()) return std::nullopt;
    return items_.extract(items_.begin()).value();
  }

  bool replace(const T& old_item, const T& new_item) {
    const std::lock_guard guard(mutex_);
    if (!items_.contains(old_item) || items_.contains(new_item)) return false;
    items_.erase(old_item);
    items_.insert(new_item);
    return true;
  }

  int toggle(const T& item) {
    const std::lock_guard guard(mutex_);
    if (items_.erase(item) > 0) return -1;
    items_.insert(item);
    return 1;
  }

  int remove_if(const std::function<bool(const T&)>& condition) {
    const std::lock_guard guard(mutex_);
    return -static_cast<int>(std::erase_if(items_, condition));
  }

  int remove_all(const SynchronizedHashSet& other) {
    if (this == &other) return clear();
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    return -static_cast<int>(std::erase_if(items_, [&](const T& item) { return other.items_.contains(item); }));
  }

  int retain_all(const SynchronizedHashSet& other) {
    if (this == &other) return 0;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    return -static_cast<int>(std::erase_if(items_, [&](const T& item) { return !other.items_.contains(item); }));
  }

  // What was in exactly one of the two sets stays.
  int differ_from(const SynchronizedHashSet& other) {
    if (this == &other) return clear();
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    const std::size_t before = items_.size();
    for (const auto& item : other.items_) {
      if (items_.erase(item) == 0) items_.insert(item);
    }
    return grown(before);
  }

  int clear() {
    const std::lock_guard guard(mutex_);
    const std::size_t before = items_.size();
    items_.clear();
    return grown(before);
  }

  bool contains(const T& item) const {
    const std::lock_guard guard(mutex_);
    return items_.contains(item);
  }

  bool contains_all(const SynchronizedHashSet& other) const {
    if (this == &other) return true;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    return std::all_of(other.items_.begin(), other.items_.end(), [&](const T& item) { return items_.contains(item); });
  }

  bool disjoint_from(const SynchronizedHashSet& other) const {
    if (this == &other) return empty();
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    return std::none_of(other.items_.begin(), other.items_.end(), [&](const T& item) { return items_.contains(item); });
  }

  std::size_t size() const {
    const std::lock_guard guard(mutex_);
    return items_.size();
  }

  bool empty() const {
    const std::lock_guard guard(mutex_);
    return items_.empty();
  }

  // The same for equal sets, in whatever order they keep their items.
  std::size_t hash() const {
    const std::lock_guard guard(mutex_);
    std::size_t sum = 0;
    for (const auto& item : items_) sum += std::hash<T>()(item);
    return sum;
  }

  void for_each(const std::function<void(const T&)>& visit) const {
    const std::lock_guard guard(mutex_);
    for (const auto& item : items_) visit(item);
  }

  bool any(const std::function<bool(const T&)>& condition) const {
    const std::lock_guard guard(mutex_);
    return std::any_of(items_.begin(), items_.end(), condition);
  }

  std::size_t bucket_count() const {
    const std::lock_guard guard(mutex_);
    return items_.bucket_count();
  }

  void reserve(std::size_t items) {
    const std::lock_guard guard(mutex_);
    items_.reserve(items);
  }

  void trim() {
    const std::lock_guard guard(mutex_);
    items_.rehash(0);
  }

  std::vector<T> to_vector() const {
    const std::lock_guard guard(mutex_);
    return std::vector<T>(items_.begin(), items_.end());
  }

  bool equals(const SynchronizedHashSet& other) const {
    if (this == &other) return true;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    return items_ == other.items_;
  }

  // Moves the item if only the other set has it.
  bool take(const T& item, SynchronizedHashSet& other) {
    if (this == &other) return false;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    if (items_.contains(item)) return false;
    return items_.insert(other.items_.extract(item)).inserted;
  }

  void swap_with(SynchronizedHashSet& other) {
    if (this == &other) return;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    items_.swap(other.items_);
  }

 private:
  // Whoever needs the locks of two sets takes the one at the lower address first, so that no two threads wait for each
  // other.
  std::mutex& lower(const SynchronizedHashSet& other) const {
    return std::less<>()(this, &other) ? mutex_ : other.mutex_;
  }
  std::mutex& upper(const SynchronizedHashSet& other) const {
    return std::less<>()(this, &other) ? other.mutex_ : mutex_;
  }

  int grown(std::size_t before) const { return static_cast<int>(items_.size()) - static_cast<int>(before); }

  mutable std::mutex mutex_;
  std::unordered_set<T> items_;
};
