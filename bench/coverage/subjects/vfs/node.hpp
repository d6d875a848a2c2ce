// Files and directories. A node is known by its number; which name it has is the business of the directory it is in.
//
// Nodes are never freed before the provider that made them, so pointers to them may be kept without a lock.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "attributes.hpp"
#include "quota.hpp"
#include "result.hpp"

namespace vfs {

class DirectoryNode;

class Node {
 public:
  explicit Node(int number) : number_(number) {}
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  virtual bool is_directory() const = 0;
  virtual std::size_t size() const = 0;

  int number() const { return number_; }
  Attributes& attributes() { return attributes_; }
  const Attributes& attributes() const { return attributes_; }

  DirectoryNode* parent() const {
    const std::lock_guard guard(place_mutex_);
    return parent_;
  }

  void set_parent(DirectoryNode* parent) {
    const std::lock_guard guard(place_mutex_);
    parent_ = parent;
  }

  bool detached() const {
    const std::lock_guard guard(place_mutex_);
    return parent_ == nullptr;
  }

 private:
  const int number_;
  Attributes attributes_;
  mutable std::mutex place_mutex_;
  DirectoryNode* parent_ = nullptr;
};

class FileNode : public Node {
 public:
  FileNode(int number, Quota& quota) : Node(number), quota_(&quota) {}

  bool is_directory() const override { return false; }

  std::size_t size() const override {
    const std::lock_guard guard(content_mutex_);
    return content_.size();
  }

  std::string read(std::size_t offset, std::size_t bytes) const {
    const std::lock_guard guard(content_mutex_);
    return offset < content_.size() ? content_.substr(offset, bytes) : std::string();
  }

  std::string read_all(int& version) const {
    const std::lock_guard guard(content_mutex_);
    version = version_;
    return content_;
  }

  Status write(std::size_t offset, const std::string& data) {
    const std::lock_guard guard(content_mutex_);
    const std::size_t end = offset + data.size();
    if (!resize(end > content_.size() ? end : content_.size())) return Status::no_space;
    content_.replace(offset, data.size(), data);
    ++version_;
    return Status::ok;
  }

  // Where the data was put.
  Result<std::size_t> append(const std::string& data) {
    const std::lock_guard guard(content_mutex_);
    const std::size_t offset = content_.size();
    if (!resize(offset + data.size())) return Status::no_space;
    content_.replace(offset, data.size(), data);
    ++version_;
    return offset;
  }

  Status truncate(std::size_t size) {
    const std::lock_guard guard(content_mutex_);
    if (!resize(size)) return Status::no_space;
    ++version_;
    return Status::ok;
  }

  int version() const {
    const std::lock_guard guard(content_mutex_);
    return version_;
  }

  void opened() {
    const std::lock_guard guard(use_mutex_);
    ++handles_;
  }

  void closed() {
    const std::lock_guard guard(use_mutex_);
    --handles_;
  }

  int handles() const {
    const std::lock_guard guard(use_mutex_);
    return handles_;
  }

  // A file that is in no directory any more does not count, though handles may still use it.
  void stop_charging() {
    const std::lock_guard guard(content_mutex_);
    if (quota_ == nullptr) return;
    quota_->release(content_.size());
    quota_ = nullptr;
  }

 private:
  bool resize(std::size_t size) {
    const std::size_t before = content_.size();
    if (quota_ != nullptr && size > before && !quota_->reserve(size - before)) return false;
    if (quota_ != nullptr && size < before) quota_->release(before - size);
    content_.resize(size, ' ');
    return true;
  }

  mutable std::mutex content_mutex_;
  std::string content_;
  int version_ = 0;
  Quota* quota_;
  mutable std::mutex use_mutex_;
  int handles_ = 0;
};

}  // namespace vfs
