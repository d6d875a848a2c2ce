// A vector behind a lock. Methods that change the number of elements return by how many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

template <typename T>
class SynchronizedList {
 public:
  SynchronizedList() = default;
  SynchronizedList(std::initializer_list<T> items) : items_(items) {}

  int add(T item) {
    const Guard guard(mutex_);
    items_.push_back(std::move(item));
    return 1;
  }

  int insert(std::size_t index, T item) {
    const Guard guard(mutex_);
    if (index > items_.size()) return 0;
    items_.insert(at(index), std::move(item));
    return 1;
  }

  // Only one thread wins if several add the same item.
  int add_if_absent(const T& item) {
    const Guard guard(mutex_);
    return contains(item) ? 0 : add(item);
  }

  int add_items(const std::vector<T>& items) {
    const Guard guard(mutex_);
    items_.insert(items_.end(), items.begin(), items.end());
    return static_cast<int>(items.size());
  }

  int add_all(const SynchronizedList& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    return add_items(std::vector<T>(other.items_));
  }

  int insert_all(std::size_t index, const SynchronizedList& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    if (index > items_.size()) return 0;
    const std::vector<T> copy(other.items_);
    items_.insert(at(index), copy.begin(), copy.end());
    return static_cast<int>(copy.size());
  }

  std::optional<T> get(std::size_t index) const {
    const Guard guard(mutex_);
    return index < items_.size() ? std::optional<T>(items_[index]) : std::nullopt;
  }

  std::optional<T> first() const {
    const Guard guard(mutex_);
    return get(0);
  }

  std::optional<T> last() const {
    const Guard guard(mutex_);
    return items_.empty() ? std::nullopt : get(items_.size() - 1);
  }

  bool set(std::size_t index, T item) {
    const Guard guard(mutex_);
    if (index >= items_.size()) return false;
    items_[index] = std::move(item);
    return true;
  }

  bool exchange(std::size_t one, std::size_t other) {
    const Guard guard(mutex_);
    if (std::max(one, other) >= items_.size()) return false;
    std::swap(items_[one], items_[other]);
    return true;
  }

  int remove(const T& item) {
    const Guard guard(mutex_);
    const auto found = std::find(items_.begin(), items_.end(), item);
    if (found == items_.end()) return 0;
    items_.erase(found);
    return -1;
  }

  int remove_at(std::size_t index) {
    const Guard guard(mutex_);
    if (index >= items_.size()) return 0;
    items_.erase(at(index));
    return -1;
  }

  int remove_last() {
    const Guard guard(mutex_);
    return items_.empty() ? 0 : remove_at(items_.size() - 1);
  }

  int remove_range(std::size_t from, std::size_t to) {
    const Guard guard(mutex_);
    to = std::min(to, items_.size());
    if (from >= to) return 0;
    items_.erase(at(from), at(to));
    return -static_cast<int>(to - from);
  }

  int remove_if(const std::function<bool(const T&)>& condition) {
    const Guard guard(mutex_);
    return -static_cast<int>(std::erase_if(items_, condition));
  }

  int remove_all(const SynchronizedList& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    const std::vector<T> copy(other.items_);
    return -static_cast<int>(std::erase_if(items_, [&](const T& item) { return has(copy, item); }));
  }

  int retain_all(const SynchronizedList& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    const std::vector<T> copy(other.items_);
    return -static_cast<int>(std::erase_if(items_, [&](const T& item) { return !has(copy, item); }));
  }

  int clear() {
    const Guard guard(mutex_);
    const auto removed = static_cast<int>(items_.size());
    items_.clear();
    return -removed;
  }

  bool contains(const T& item) const {
    const Guard guard(mutex_);
    return has(items_, item);
  }

  bool contains_all(const SynchronizedList& other) const {
    const Guard first(lower(other));
    const Guard second(upper(other));
    return std::all_of(other.items_.begin(), other.items_.end(), [&](const T& item) { return has(items_, item); });
  }

  std::optional<std::size_t> index_of(const T& item) const {
    const Guard guard(mutex_);
    const auto found = std::find(items_.begin(), items_.end(), item);
    if (found == items_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - items_.begin());
  }

  std::optional<std::size_t> last_index_of(const T& item) const {
    const Guard guard(mutex_);
    const auto found = std::find(items_.rbegin(), items_.rend(), item);
    if (found == items_.rend()) return std::nullopt;
    return static_cast<std::size_t>(items_.rend() - found) - 1;
  }

  std::size_t count(const T& item) const {
    const Guard guard(mutex_);
    return static_cast<std::size_t>(std::count(items_.begin(), items_.end(), item));
  }

  std::size_t size() const {
    const Guard guard(mutex_);
    return items_.size();
  }

  bool empty() const {
    const Guard guard(mutex_);
    return size() == 0;
  }

  void reserve(std::size_t capacity) {
    const Guard guard(mutex_);
    items_.reserve(capacity);
  }

  void trim() {
    const Guard guard(mutex_);
    items_.shrink_to_fit();
  }

  void for_each(const std::function<void(const T&)>& visit) const {
    const Guard guard(mutex_);
    for (const auto& item : items_) visit(item);
  }

  void replace_each(const std::function<T(const T&)>& replace) {
    const Guard guard(mutex_);
    for (auto& item : items_) item = replace(item);
  }

  void sort() {
    const Guard guard(mutex_);
    std::sort(items_.begin(), items_.end());
  }

  void reverse() {
    const Guard guard(mutex_);
    std::reverse(items_.begin(), items_.end());
  }

  T sum() const {
    const Guard guard(mutex_);
    return std::accumulate(items_.begin(), items_.end(), T());
  }

  std::vector<T> to_vector() const {
    const Guard guard(mutex_);
    return items_;
  }

  std::vector<T> slice(std::size_t from, std::size_t to) const {
    const Guard guard(mutex_);
    to = std::min(to, items_.size());
    from = std::min(from, to);
    return std::vector<T>(items_.begin() + offset(from), items_.begin() + offset(to));
  }

  bool equals(const SynchronizedList& other) const {
    const Guard first(lower(other));
    const Guard second(upper(other));
    return items_ == other.items_;
  }

  void swap_with(SynchronizedList& other) {
    const Guard first(lower(other));
    const Guard second(upper(other));
    items_.swap(other.items_);
  }

 private:
  // Methods call each other while they hold the lock, hence a recursive one.
  using Guard = std::lock_guard<std::recursive_mutex>;

  // Whoever needs the locks of two lists takes the one at the lower address first, so that no two threads wait for each
  // other.
  std::recursive_mutex& lower(const SynchronizedList& other) const {
    return std::less<>()(this, &other) ? mutex_ : other.mutex_;
  }
  std::recursive_mutex& upper(const SynchronizedList& other) const {
    return std::less<>()(this, &other) ? other.mutex_ : mutex_;
  }

  static std::ptrdiff_t offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }
  auto at(std::size_t index) { return items_.begin() + offset(index); }

  static bool has(const std::vector<T>& items, const T& item) {
    return std::find(items.begin(), items.end(), item) != items.end();
  }

  mutable std::recursive_mutex mutex_;
  std::vector<T> items_;
};
