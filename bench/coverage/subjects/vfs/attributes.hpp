// What is known of a node beside its content: names with values, and when it was changed.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "result.hpp"

namespace vfs {

class Attributes {
 public:
  Status set(const std::string& name, const std::string& value) {
    const std::lock_guard guard(mutex_);
    if (name.empty()) return Status::invalid;
    if (locked_) return Status::read_only;
    values_[name] = value;
    ++changes_;
    return Status::ok;
  }

  std::optional<std::string> get(const std::string& name) const {
    const std::lock_guard guard(mutex_);
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional<std::string>(found->second);
  }

  Status remove(const std::string& name) {
    const std::lock_guard guard(mutex_);
    if (locked_) return Status::read_only;
    if (values_.erase(name) == 0) return Status::not_found;
    ++changes_;
    return Status::ok;
  }

  std::vector<std::string> names() const {
    const std::lock_guard guard(mutex_);
    std::vector<std::string> result;
    for (const auto& entry : values_) result.push_back(entry.first);
    return result;
  }

  std::map<std::string, std::string> all() const {
    const std::lock_guard guard(mutex_);
    return values_;
  }

  // The other attributes are copied before they are stored here, so that two locks are never held at once.
  void copy_from(const Attributes& other) {
    const auto copy = other.all();
    const std::lock_guard guard(mutex_);
    for (const auto& [name, value] : copy) values_[name] = value;
    ++changes_;
  }

  void touch(int time) {
    const std::lock_guard guard(mutex_);
    if (modified_ < time) modified_ = time;
  }

  int modified() const {
    const std::lock_guard guard(mutex_);
    return modified_;
  }

  int changes() const {
    const std::lock_guard guard(mutex_);
    return changes_;
  }

  void lock_values(bool locked) {
    const std::lock_guard guard(mutex_);
    locked_ = locked;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> values_;
  int modified_ = 0;
  int changes_ = 0;
  bool locked_ = false;
};

}  // namespace vfs
