// A sorted set behind a lock. Methods that change the number of elements return by how many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

template <typename T>
class SynchronizedTreeSet {
 public:
  SynchronizedTreeSet() = default;
  SynchronizedTreeSet(std::initializer_list<T> items) : items_(items) {}

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

  int add_all(const SynchronizedTreeSet& other) {
    if (this == &other) return 0;
    const std::lock_guard first(lower_lock(other));
    const std::lock_guard second(upper_lock(other));
    const std::size_t before = items_.size();
    items_.insert(other.items_.begin(), other.items_.end());
    return grown(before);
  }

  int remove(const T& item) {
    const std::lock_guard guard(mutex_);
    return -static_cast<int>(items_.erase(item));
  }

  std::optional<T> poll_first() {
    const std::lock_guard guard(mutex_);
    if (items_.empty()) return std::nullopt;
    return items_.extract(items_.begin()).value();
  }

  std::optional<T> poll_last() {
    const std::lock_guard guard(mutex_);
    if (items_.empty()) return std::nullopt;
    return items_.extract(std::prev(items_.end())).value();
  }

  int remove_below(const T& limit) {
    const std::lock_guard guard(mutex_);
    const std::size_t before = items_.size();
    items_.erase(items_.begin(), items_.lower_bound(limit));
    return grown(before);
  }

  int remove_from(const T& limit) {
    const std::lock_guard guard(mutex_);
    const std::size_t before = items_.size();
    items_.erase(items_.lower_bound(limit), items_.end());
    return grown(before);
  }

  int remove_if(const std::function<bool(const T&)>& condition) {
    const std::lock_guard guard(mutex_);
    return -static_cast<int>(std::erase_if(items_, condition));
  }

  int remove_all(const SynchronizedTreeSet& other) {
    if (this == &other) return clear();
    const std::lock_guard first(lower_lock(other));
    const std::lock_guard second(upper_lock(other));
    return -static_cast<int>(std::erase_if(items_, [&](const T& item) { return other.items_.contains(item); }));
  }

  int retain_all(const SynchronizedTreeSet& other) {
    if (this == &other) return 0;
    const std::lock_guard first(lower_lock(other));
    const std::lock_guard second(upper_lock(other));
    return -static_cast<int>(std::erase_if(items_, [&](const T& item) { return !other.items_.contains(item); }));
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

  bool contains_all(const SynchronizedTreeSet& other) const {
    if (this == &other) return true;
    const std::lock_guard first(lower_lock(other));
    const std::lock_guard second(upper_lock(other));
    return std::includes(items_.begin(), items_.end(), other.items_.begin(), other.items_.end());
  }

  std::optional<T> first() const {
    const std::lock_guard guard(mutex_);
    return value_at(items_.begin());
  }

  std::optional<T> last() const {
    const std::lock_guard guard(mutex_);
    return value_at(items_.empty() ? items_.end() : std::prev(items_.end()));
  }

  // The greatest item below.
  std::optional<T> lower(const T& item) const {
    const std::lock_guard guard(mutex_);
    const auto found = items_.lower_bound(item);
    return value_at(found == items_.begin() ? items_.end() : std::prev(found));
  }

  // The greatest item not above.
  std::optional<T> floor(const T& item) const {
    const std::lock_guard guard(mutex_);
    const auto found = items_.upper_bound(item);
    return value_at(found == items_.begin() ? items_.end() : std::prev(found));
  }

  // The least item not below.
  std::optional<T> ceiling(const T& item) const {
    const std::lock_guard guard(mutex_);
    return value_at(items_.lower_bound(item));
  }

  // The least item above.
  std::optional<T> higher(const T& item) const {
    const std::lock_guard guard(mutex_);
    return value_at(items_.upper_bound(item));
  }

  std::vector<T> head(const T& limit) const {
    const std::lock_guard guard(mutex_);
    return std::vector<T>(items_.begin(), items_.lower_bound(limit));
  }

  std::vector<T> tail(const T& limit) const {
    const std::lock_guard guard(mutex_);
    return std::vector<T>(items_.lower_bound(limit), items_.end());
  }

  std::vector<T> between(const T& from, const T& to) const {
    const std::lock_guard guard(mutex_);
    if (to < from) return {};
    return std::vector<T>(items_.lower_bound(from), items_.lower_bound(to));
  }

  std::vector<T> descending() const {
    const std::lock_guard guard(mutex_);
    return std::vector<T>(items_.rbegin(), items_.rend());
  }

  std::vector<T> to_vector() const {
    const std::lock_guard guard(mutex_);
    return std::vector<T>(items_.begin(), items_.end());
  }

  std::size_t rank(const T& item) const {
    const std::lock_guard guard(mutex_);
    return static_cast<std::size_t>(std::distance(items_.begin(), items_.lower_bound(item)));
  }

  std::size_t size() const {
    const std::lock_guard guard(mutex_);
    return items_.size();
  }

  bool empty() const {
    const std::lock_guard guard(mutex_);
    return items_.empty();
  }

  void for_each(const std::function<void(const T&)>& visit) const {
    const std::lock_guard guard(mutex_);
    for (const auto& item : items_) visit(item);
  }

  bool equals(const SynchronizedTreeSet& other) const {
    if (this == &other) return true;
    const std::lock_guard first(lower_lock(other));
    const std::lock_guard second(upper_lock(other));
    return items_ == other.items_;
  }

  // Moves the items that only the other set has.
  void take_all(SynchronizedTreeSet& other) {
    if (this == &other) return;
    const std::lock_guard first(lower_lock(other));
    const std::lock_guard second(upper_lock(other));
    items_.merge(other.items_);
  }

  // Moves the least item of the other set if it is missing here.
  bool take_first(SynchronizedTreeSet& other) {
    if (this == &other) return false;
    const std::lock_guard first(lower_lock(other));
    const std::lock_guard second(upper_lock(other));
    if (other.items_.empty() || items_.contains(*other.items_.begin())) return false;
    items_.insert(other.items_.extract(other.items_.begin()));
    return true;
  }

  void swap_with(SynchronizedTreeSet& other) {
    if (this == &other) return;
    const std::lock_guard first(lower_lock(other));
    const std::lock_guard second(upper_lock(other));
    items_.swap(other.items_);
  }

 private:
  // Whoever needs the locks of two sets takes the one at the lower address first, so that no two threads wait for each
  // other.
  std::mutex& lower_lock(const SynchronizedTreeSet& other) const {
    return std::less<>()(this, &other) ? mutex_ : other.mutex_;
  }
  std::mutex& upper_lock(const SynchronizedTreeSet& other) const {
    return std::less<>()(this, &other) ? other.mutex_ : mutex_;
  }

  std::optional<T> value_at(typename std::set<T>::const_iterator place) const {
    return place == items_.end() ? std::nullopt : std::optional<T>(*place);
  }
  int grown(std::size_t before) const { return static_cast<int>(items_.size()) - static_cast<int>(before); }

  mutable std::mutex mutex_;
  std::set<T> items_;
};
