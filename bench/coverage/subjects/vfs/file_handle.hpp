// Open files. Threads may share a handle; it has one position, which its lock guards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "node.hpp"
#include "path.hpp"
#include "result.hpp"

namespace vfs {

enum class OpenMode { read, write, append };

class FileHandle {
 public:
  FileHandle(FileNode& node, Path path, Path mount_point, OpenMode mode)
      : node_(node), path_(std::move(path)), mount_point_(std::move(mount_point)), mode_(mode) {
    node_.opened();
  }

  Result<std::string> read(std::size_t bytes) {
    const std::lock_guard guard(mutex_);
    if (!open_) return Status::closed;
    std::string data = node_.read(position_, bytes);
    position_ += data.size();
    return data;
  }

  Result<std::string> read_at(std::size_t offset, std::size_t bytes) const {
    const std::lock_guard guard(mutex_);
    if (!open_) return Status::closed;
    return node_.read(offset, bytes);
  }

  Status write(const std::string& data) {
    const std::lock_guard guard(mutex_);
    if (!open_) return Status::closed;
    if (mode_ == OpenMode::read) return Status::read_only;
    return mode_ == OpenMode::append ? write_at_end(data) : write_here(data);
  }

  Status truncate(std::size_t size) {
    const std::lock_guard guard(mutex_);
    if (!open_) return Status::closed;
    if (mode_ == OpenMode::read) return Status::read_only;
    position_ = std::min(position_, size);
    return node_.truncate(size);
  }

  Status seek(std::size_t position) {
    const std::lock_guard guard(mutex_);
    if (!open_) return Status::closed;
    if (position > node_.size()) return Status::invalid;
    position_ = position;
    return Status::ok;
  }

  Result<std::size_t> position() const {
    const std::lock_guard guard(mutex_);
    if (!open_) return Status::closed;
    return position_;
  }

  // Only the first of several threads that close a handle succeeds.
  Status close() {
    const std::lock_guard guard(mutex_);
    if (!open_) return Status::closed;
    open_ = false;
    node_.closed();
    return Status::ok;
  }

  bool is_open() const {
    const std::lock_guard guard(mutex_);
    return open_;
  }

  FileNode& node() const { return node_; }
  const Path& path() const { return path_; }
  const Path& mount_point() const { return mount_point_; }

 private:
  Status write_here(const std::string& data) {
    const Status status = node_.write(position_, data);
    if (status == Status::ok) position_ += data.size();
    return status;
  }

  Status write_at_end(const std::string& data) {
    const auto offset = node_.append(data);
    if (!offset) return offset.status();
    position_ = *offset + data.size();
    return Status::ok;
  }

  FileNode& node_;
  const Path path_;
  const Path mount_point_;
  const OpenMode mode_;
  mutable std::mutex mutex_;
  std::size_t position_ = 0;
  bool open_ = true;
};

// Open files by number. A handle stays here after it was closed, because threads may still try to use it.
class HandleTable {
 public:
  int add(std::unique_ptr<FileHandle> handle) {
    const std::lock_guard guard(mutex_);
    handles_.emplace(++last_, std::move(handle));
    return last_;
  }

  FileHandle* find(int number) const {
    const std::lock_guard guard(mutex_);
    const auto found = handles_.find(number);
    return found == handles_.end() ? nullptr : found->second.get();
  }

  std::size_t open_handles() const {
    const std::lock_guard guard(mutex_);
    std::size_t result = 0;
    for (const auto& entry : handles_) result += entry.second->is_open() ? 1 : 0;
    return result;
  }

  std::vector<int> handles_of(const FileNode& node) const {
    const std::lock_guard guard(mutex_);
    std::vector<int> result;
    for (const auto& [number, handle] : handles_) {
      if (&handle->node() == &node && handle->is_open()) result.push_back(number);
    }
    return result;
  }

 private:
  mutable std::mutex mutex_;
  std::map<int, std::unique_ptr<FileHandle>> handles_;
  int last_ = 0;
};

}  // namespace vfs
