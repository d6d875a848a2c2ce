// What a file system writes down of itself: time, numbers of operations, unfinished operations, who may do what.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "path.hpp"
#include "result.hpp"

namespace vfs {

// Counts changes instead of seconds.
class Clock {
 public:
  int tick() {
    const std::lock_guard guard(mutex_);
    return ++now_;
  }

  int now() const {
    const std::lock_guard guard(mutex_);
    return now_;
  }

 private:
  mutable std::mutex mutex_;
  int now_ = 0;
};

enum class Operation { mount, unmount, create, open, close, read, write, rename, remove, list, copy, attribute };

class Statistics {
 public:
  void succeeded(Operation operation) {
    const std::lock_guard guard(mutex_);
    ++at(succeeded_, operation);
  }

  void failed(Operation operation, Status why) {
    const std::lock_guard guard(mutex_);
    ++at(failed_, operation);
    ++reasons_[why];
  }

  int successes(Operation operation) const {
    const std::lock_guard guard(mutex_);
    return succeeded_[index(operation)];
  }

  int failures(Operation operation) const {
    const std::lock_guard guard(mutex_);
    return failed_[index(operation)];
  }

  int failures(Status why) const {
    const std::lock_guard guard(mutex_);
    const auto found = reasons_.find(why);
    return found == reasons_.end() ? 0 : found->second;
  }

  int total() const {
    const std::lock_guard guard(mutex_);
    int sum = 0;
    for (std::size_t i = 0; i < kOperations; ++i) sum += succeeded_[i] + failed_[i];
    return sum;
  }

 private:
  static constexpr std::size_t kOperations = static_cast<std::size_t>(Operation::attribute) + 1;
  using Counts = std::array<int, kOperations>;

  static std::size_t index(Operation operation) { return static_cast<std::size_t>(operation); }
  static int& at(Counts& counts, Operation operation) { return counts[index(operation)]; }

  mutable std::mutex mutex_;
  Counts succeeded_{};
  Counts failed_{};
  std::map<Status, int> reasons_;
};

// Changes that were begun and how they ended.
class Journal {
 public:
  int begin(Operation operation, const Path& path) {
    const std::lock_guard guard(mutex_);
    unfinished_.emplace(++last_, Entry{operation, path});
    return last_;
  }

  void commit(int number) {
    const std::lock_guard guard(mutex_);
    const auto found = unfinished_.find(number);
    if (found == unfinished_.end()) return;
    committed_.push_back(found->second);
    unfinished_.erase(found);
  }

  void abort(int number) {
    const std::lock_guard guard(mutex_);
    aborted_ += unfinished_.erase(number);
  }

  std::size_t unfinished() const {
    const std::lock_guard guard(mutex_);
    return unfinished_.size();
  }

  std::size_t committed() const {
    const std::lock_guard guard(mutex_);
    return committed_.size();
  }

  std::size_t finished() const {
    const std::lock_guard guard(mutex_);
    return committed_.size() + aborted_;
  }

  // Everything that was committed for a path, in the order of the commits.
  std::vector<Operation> history(const Path& path) const {
    const std::lock_guard guard(mutex_);
    std::vector<Operation> result;
    for (const auto& entry : committed_) {
      if (entry.path == path) result.push_back(entry.operation);
    }
    return result;
  }

  void forget_committed() {
    const std::lock_guard guard(mutex_);
    committed_.clear();
  }

 private:
  struct Entry {
    Operation operation = Operation::create;
    Path path;
  };

  mutable std::mutex mutex_;
  std::map<int, Entry> unfinished_;
  std::vector<Entry> committed_;
  std::size_t aborted_ = 0;
  int last_ = 0;
};

enum class Right { read, write };

// Users have rights to a path and all below. Reading is allowed where nobody restricted it, writing has to be granted.
class AccessControl {
 public:
  void grant(const std::string& user, const Path& path, Right right) {
    const std::lock_guard guard(mutex_);
    grants_[{user, right}].insert(path);
  }

  Status revoke(const std::string& user, const Path& path, Right right) {
    const std::lock_guard guard(mutex_);
    return grants_[{user, right}].erase(path) > 0 ? Status::ok : Status::not_found;
  }

  void restrict_reading(const Path& path) {
    const std::lock_guard guard(mutex_);
    restricted_.insert(path);
  }

  Status may_read(const std::string& user, const Path& path) const {
    const std::lock_guard guard(mutex_);
    if (!covered(restricted_, path) || granted(user, path, Right::read)) return Status::ok;
    return Status::no_access;
  }

  Status may_write(const std::string& user, const Path& path) const {
    const std::lock_guard guard(mutex_);
    return granted(user, path, Right::write) ? Status::ok : Status::no_access;
  }

 private:
  static bool covered(const std::set<Path>& paths, Path path) {
    while (!paths.contains(path)) {
      if (path.is_root()) return false;
      path = path.parent();
    }
    return true;
  }

  bool granted(const std::string& user, const Path& path, Right right) const {
    const auto found = grants_.find({user, right});
    return found != grants_.end() && covered(found->second, path);
  }

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, Right>, std::set<Path>> grants_;
  std::set<Path> restricted_;
};

}  // namespace vfs
