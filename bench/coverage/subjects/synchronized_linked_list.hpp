// A doubly linked list behind a lock, used as a list and as a queue with two ends. Methods that change the number of
// elements return by how many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

template <typename T>
class SynchronizedLinkedList {
 public:
  SynchronizedLinkedList() = default;
  SynchronizedLinkedList(std::initializer_list<T> items) : items_(items) {}

  int add_first(T item) {
    const std::lock_guard guard(mutex_);
    items_.push_front(std::move(item));
    return 1;
  }

  int add_last(T item) {
    const std::lock_guard guard(mutex_);
    items_.push_back(std::move(item));
    return 1;
  }

  int insert(std::size_t index, T item) {
    const std::lock_guard guard(mutex_);
    if (index > items_.size()) return 0;
    items_.insert(at(index), std::move(item));
    return 1;
  }

  int insert_before(const T& place, T item) {
    const std::lock_guard guard(mutex_);
    const auto found = std::find(items_.begin(), items_.end(), place);
    items_.insert(found, std::move(item));
    return 1;
  }

  int add_items(const std::vector<T>& items) {
    const std::lock_guard guard(mutex_);
    items_.insert(items_.end(), items.begin(), items.end());
    return static_cast<int>(items.size());
  }

  int add_all(const SynchronizedLinkedList& other) {
    if (this == &other) return double_up();
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    items_.insert(items_.end(), other.items_.begin(), other.items_.end());
    return static_cast<int>(other.items_.size());
  }

  std::optional<T> peek_first() const {
    const std::lock_guard guard(mutex_);
    return items_.empty() ? std::nullopt : std::optional<T>(items_.front());
  }

  std::optional<T> peek_last() const {
    const std::lock_guard guard(mutex_);
    return items_.empty() ? std::nullopt : std::optional<T>(items_.back());
  }

  std::optional<T> poll_first() {
    const std::lock_guard guard(mutex_);
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    return item;
  }

  std::optional<T> poll_last() {
    const std::lock_guard guard(mutex_);
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.back()));
    items_.pop_back();
    return item;
  }

  std::optional<T> get(std::size_t index) const {
    const std::lock_guard guard(mutex_);
    if (index >= items_.size()) return std::nullopt;
    return *std::next(items_.begin(), static_cast<std::ptrdiff_t>(index));
  }

  bool set(std::size_t index, T item) {
    const std::lock_guard guard(mutex_);
    if (index >= items_.size()) return false;
    *at(index) = std::move(item);
    return true;
  }

  int remove_first_of(const T& item) {
    const std::lock_guard guard(mutex_);
    const auto found = std::find(items_.begin(), items_.end(), item);
    if (found == items_.end()) return 0;
    items_.erase(found);
    return -1;
  }

  int remove_last_of(const T& item) {
    const std::lock_guard guard(mutex_);
    const auto found = std::find(items_.rbegin(), items_.rend(), item);
    if (found == items_.rend()) return 0;
    items_.erase(std::prev(found.base()));
    return -1;
  }

  int remove_at(std::size_t index) {
    const std::lock_guard guard(mutex_);
    if (index >= items_.size()) return 0;
    items_.erase(at(index));
    return -1;
  }

  int remove_if(const std::function<bool(const T&)>& condition) {
    const std::lock_guard guard(mutex_);
    return -static_cast<int>(items_.remove_if(condition));
  }

  int remove_all(const SynchronizedLinkedList& other) {
    if (this == &other) return clear();
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    return -static_cast<int>(items_.remove_if([&](const T& item) { return other.has(item); }));
  }

  int retain_all(const SynchronizedLinkedList& other) {
    if (this == &other) return 0;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    return -static_cast<int>(items_.remove_if([&](const T& item) { return !other.has(item); }));
  }

  // Items that follow an equal one go.
  int remove_repeated() {
    const std::lock_guard guard(mutex_);
    return -static_cast<int>(items_.unique());
  }

  int clear() {
    const std::lock_guard guard(mutex_);
    const auto removed = static_cast<int>(items_.size());
    items_.clear();
    return -removed;
  }

  bool contains(const T& item) const {
    const std::lock_guard guard(mutex_);
    return has(item);
  }

  bool contains_all(const SynchronizedLinkedList& other) const {
    if (this == &other) return true;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    return std::all_of(other.items_.begin(), other.items_.end(), [&](const T& item) { return has(item); });
  }

  std::optional<std::size_t> index_of(const T& item) const {
    const std::lock_guard guard(mutex_);
    const auto found = std::find(items_.begin(), items_.end(), item);
    if (found == items_.end()) return std::nullopt;
    return static_cast<std::size_t>(std::distance(items_.begin(), found));
  }

  std::size_t count(const T& item) const {
    const std::lock_guard guard(mutex_);
    return static_cast<std::size_t>(std::count(items_.begin(), items_.end(), item));
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

  void sort() {
    const std::lock_guard guard(mutex_);
    items_.sort();
  }

  void reverse() {
    const std::lock_guard guard(mutex_);
    items_.reverse();
  }

  // The last item becomes the first.
  void rotate() {
    const std::lock_guard guard(mutex_);
    if (!items_.empty()) items_.splice(items_.begin(), items_, std::prev(items_.end()));
  }

  std::vector<T> to_vector() const {
    const std::lock_guard guard(mutex_);
    return std::vector<T>(items_.begin(), items_.end());
  }

  bool equals(const SynchronizedLinkedList& other) const {
    if (this == &other) return true;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    return items_ == other.items_;
  }

  // Moves all items of the other list to the end of this one, without a copy.
  void take_all(SynchronizedLinkedList& other) {
    if (this == &other) return;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    items_.splice(items_.end(), other.items_);
  }

  // Moves the first item, if there is one.
  bool take_first(SynchronizedLinkedList& other) {
    if (this == &other) return false;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    if (other.items_.empty()) return false;
    items_.splice(items_.end(), other.items_, other.items_.begin());
    return true;
  }

  void swap_with(SynchronizedLinkedList& other) {
    if (this == &other) return;
    const std::lock_guard first(lower(other));
    const std::lock_guard second(upper(other));
    items_.swap(other.items_);
  }

 private:
  // Whoever needs the locks of two lists takes the one at the lower address first, so that no two threads wait for each
  // other.
  std::mutex& lower(const SynchronizedLinkedList& other) const {
    return std::less<>()(this, &other) ? mutex_ : other.mutex_;
  }
  std::mutex& upper(const SynchronizedLinkedList& other) const {
    return std::less<>()(this, &other) ? other.mutex_ : mutex_;
  }

  int double_up() {
    const std::lock_guard guard(mutex_);
    const auto added = static_cast<int>(items_.size());
    std::list<T> copy(items_);
    items_.splice(items_.end(), copy);
    return added;
  }

  auto at(std::size_t index) { return std::next(items_.begin(), static_cast<std::ptrdiff_t>(index)); }
  bool has(const T& item) const { return std::find(items_.begin(), items_.end(), item) != items_.end(); }

  mutable std::mutex mutex_;
  std::list<T> items_;
};
