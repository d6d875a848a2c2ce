// Which provider is responsible for which paths: the one that is mounted at the longest path above.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "path.hpp"
#include "provider.hpp"
#include "result.hpp"

namespace vfs {

struct Mount {
  Path point;
  Provider* provider = nullptr;
};

class MountTable {
 public:
  Status mount(const Path& point, Provider& provider) {
    const std::lock_guard guard(mutex_);
    return mounts_.emplace(point, Entry{&provider}).second ? Status::ok : Status::exists;
  }

  // What is in use stays mounted.
  Status unmount(const Path& point) {
    const std::lock_guard guard(mutex_);
    const auto found = mounts_.find(point);
    if (found == mounts_.end()) return Status::not_found;
    if (found->second.users > 0) return Status::busy;
    mounts_.erase(found);
    return Status::ok;
  }

  Result<Mount> find(const Path& path) const {
    const std::lock_guard guard(mutex_);
    for (Path point = path;; point = point.parent()) {
      if (const auto found = mounts_.find(point); found != mounts_.end()) return Mount{point, found->second.provider};
      if (point.is_root()) return Status::not_found;
    }
  }

  bool is_point(const Path& path) const {
    const std::lock_guard guard(mutex_);
    return mounts_.contains(path);
  }

  bool has_points_below(const Path& path) const {
    const std::lock_guard guard(mutex_);
    for (const auto& entry : mounts_) {
      if (entry.first != path && entry.first.is_below_or_equal(path)) return true;
    }
    return false;
  }

  Status acquire(const Path& point) {
    const std::lock_guard guard(mutex_);
    const auto found = mounts_.find(point);
    if (found == mounts_.end()) return Status::not_found;
    ++found->second.users;
    return Status::ok;
  }

  void release(const Path& point) {
    const std::lock_guard guard(mutex_);
    if (const auto found = mounts_.find(point); found != mounts_.end()) --found->second.users;
  }

  std::vector<Mount> all() const {
    const std::lock_guard guard(mutex_);
    std::vector<Mount> result;
    for (const auto& [point, entry] : mounts_) result.push_back({point, entry.provider});
    return result;
  }

  int users(const Path& point) const {
    const std::lock_guard guard(mutex_);
    const auto found = mounts_.find(point);
    return found == mounts_.end() ? 0 : found->second.users;
  }

 private:
  struct Entry {
    Provider* provider = nullptr;
    int users = 0;
  };

  mutable std::mutex mutex_;
  std::map<Path, Entry> mounts_;
};

}  // namespace vfs
