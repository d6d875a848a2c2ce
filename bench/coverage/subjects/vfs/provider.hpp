// Where nodes come from. A provider owns a tree; providers differ in what they allow.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "directory.hpp"
#include "node.hpp"
#include "quota.hpp"
#include "result.hpp"

namespace vfs {

// Owns nodes and numbers them. Numbers are unique in a whole file system, because locks are ordered by them; so all
// providers of a file system draw from one source.
class NodeNumbers {
 public:
  int next() {
    const std::lock_guard guard(mutex_);
    return ++last_;
  }

  int last() const {
    const std::lock_guard guard(mutex_);
    return last_;
  }

 private:
  mutable std::mutex mutex_;
  int last_ = 0;
};

class NodeStore {
 public:
  explicit NodeStore(NodeNumbers& numbers) : numbers_(numbers) {}

  FileNode& make_file(Quota& quota) {
    auto node = std::make_unique<FileNode>(numbers_.next(), quota);
    FileNode& result = *node;
    const std::lock_guard guard(mutex_);
    nodes_.push_back(std::move(node));
    ++files_;
    return result;
  }

  DirectoryNode& make_directory() {
    auto node = std::make_unique<DirectoryNode>(numbers_.next());
    DirectoryNode& result = *node;
    const std::lock_guard guard(mutex_);
    nodes_.push_back(std::move(node));
    return result;
  }

  std::size_t size() const {
    const std::lock_guard guard(mutex_);
    return nodes_.size();
  }

  std::size_t files() const {
    const std::lock_guard guard(mutex_);
    return files_;
  }

 private:
  NodeNumbers& numbers_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::size_t files_ = 0;
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string name() const = 0;
  virtual DirectoryNode& root() = 0;
  virtual Quota& quota() = 0;
  virtual bool writable() const = 0;
  virtual Result<FileNode*> create_file(DirectoryNode& parent, const std::string& name) = 0;
  virtual Result<DirectoryNode*> create_directory(DirectoryNode& parent, const std::string& name) = 0;
};

class MemoryProvider : public Provider {
 public:
  MemoryProvider(NodeNumbers& numbers, std::string name, std::size_t bytes)
      : name_(std::move(name)), quota_(bytes), store_(numbers), root_(store_.make_directory()) {}

  std::string name() const override { return name_; }
  DirectoryNode& root() override { return root_; }
  Quota& quota() override { return quota_; }

  bool writable() const override {
    const std::lock_guard guard(mutex_);
    return !frozen_;
  }

  void freeze(bool frozen) {
    const std::lock_guard guard(mutex_);
    frozen_ = frozen;
  }

  Result<FileNode*> create_file(DirectoryNode& parent, const std::string& name) override {
    if (!writable()) return Status::read_only;
    FileNode& node = store_.make_file(quota_);
    if (const Status status = parent.add(name, node); status != Status::ok) return status;
    return &node;
  }

  Result<DirectoryNode*> create_directory(DirectoryNode& parent, const std::string& name) override {
    if (!writable()) return Status::read_only;
    DirectoryNode& node = store_.make_directory();
    if (const Status status = parent.add(name, node); status != Status::ok) return status;
    return &node;
  }

  const NodeStore& store() const { return store_; }

 private:
  const std::string name_;
  Quota quota_;
  NodeStore store_;
  DirectoryNode& root_;
  mutable std::mutex mutex_;
  bool frozen_ = false;
};

// Shows the tree of another provider and lets nobody change it.
class ReadOnlyProvider : public Provider {
 public:
  explicit ReadOnlyProvider(Provider& shown) : shown_(shown) {}

  std::string name() const override { return shown_.name() + " (read only)"; }
  DirectoryNode& root() override { return shown_.root(); }
  Quota& quota() override { return shown_.quota(); }
  bool writable() const override { return false; }

  Result<FileNode*> create_file(DirectoryNode&, const std::string&) override { return refuse(); }
  Result<DirectoryNode*> create_directory(DirectoryNode&, const std::string&) override { return refuse(); }

  int refused() const {
    const std::lock_guard guard(mutex_);
    return refused_;
  }

 private:
  Status refuse() {
    const std::lock_guard guard(mutex_);
    ++refused_;
    return Status::read_only;
  }

  Provider& shown_;
  mutable std::mutex mutex_;
  int refused_ = 0;
};

// Makes providers by the name of their kind.
class ProviderRegistry {
 public:
  using Maker = std::function<std::unique_ptr<Provider>(const std::string& name)>;

  Status add(const std::string& kind, Maker maker) {
    const std::lock_guard guard(mutex_);
    return makers_.emplace(kind, std::move(maker)).second ? Status::ok : Status::exists;
  }

  Status remove(const std::string& kind) {
    const std::lock_guard guard(mutex_);
    return makers_.erase(kind) > 0 ? Status::ok : Status::not_found;
  }

  // The maker runs without the lock, because it may itself ask the registry.
  Result<Provider*> make(const std::string& kind, const std::string& name) {
    const Maker maker = find(kind);
    if (!maker) return Status::not_found;
    return keep(maker(name));
  }

  Provider* keep(std::unique_ptr<Provider> provider) {
    const std::lock_guard guard(mutex_);
    providers_.push_back(std::move(provider));
    return providers_.back().get();
  }

  std::vector<std::string> kinds() const {
    const std::lock_guard guard(mutex_);
    std::vector<std::string> result;
    for (const auto& entry : makers_) result.push_back(entry.first);
    return result;
  }

 private:
  Maker find(const std::string& kind) const {
    const std::lock_guard guard(mutex_);
    const auto found = makers_.find(kind);
    return found == makers_.end() ? Maker() : found->second;
  }

  mutable std::mutex mutex_;
  std::map<std::string, Maker> makers_;
  std::vector<std::unique_ptr<Provider>> providers_;
};

}  // namespace vfs
