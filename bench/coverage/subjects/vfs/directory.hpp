// Directories. Whoever needs the locks of two of them takes that of the lower number first: the tree itself is no
// order, because renaming turns it around.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "node.hpp"
#include "path.hpp"

namespace vfs {

class DirectoryNode : public Node {
 public:
  using Node::Node;
  using Entry = std::pair<std::string, Node*>;

  bool is_directory() const override { return true; }

  std::size_t size() const override {
    const std::lock_guard guard(mutex_);
    return children_.size();
  }

  Node* find(const std::string& name) const {
    const std::lock_guard guard(mutex_);
    return child(name);
  }

  bool contains(const std::string& name) const {
    const std::lock_guard guard(mutex_);
    return children_.contains(name);
  }

  Status add(const std::string& name, Node& node) {
    const std::lock_guard guard(mutex_);
    if (name.empty()) return Status::invalid;
    if (removed_) return Status::not_found;
    if (!children_.emplace(name, &node).second) return Status::exists;
    node.set_parent(this);
    return Status::ok;
  }

  Result<FileNode*> remove_file(const std::string& name) {
    const std::lock_guard guard(mutex_);
    Node* const node = child(name);
    if (node == nullptr) return Status::not_found;
    if (node->is_directory()) return Status::is_a_directory;
    children_.erase(name);
    node->set_parent(nullptr);
    return static_cast<FileNode*>(node);
  }

  // Nobody can add something to the directory once it is removed, so it must be empty under both locks.
  Status remove_directory(const std::string& name) {
    Node* const node = find(name);
    if (node == nullptr) return Status::not_found;
    if (!node->is_directory()) return Status::not_a_directory;
    auto& directory = static_cast<DirectoryNode&>(*node);
    const std::lock_guard first(lower(directory).mutex_);
    const std::lock_guard second(upper(directory).mutex_);
    if (child(name) != node) return Status::busy;
    if (!directory.children_.empty()) return Status::not_empty;
    children_.erase(name);
    directory.removed_ = true;
    directory.set_parent(nullptr);
    return Status::ok;
  }

  Status rename(const std::string& name, const std::string& new_name) {
    const std::lock_guard guard(mutex_);
    const auto found = children_.find(name);
    if (found == children_.end()) return Status::not_found;
    if (children_.contains(new_name)) return Status::exists;
    Node* const node = found->second;
    children_.erase(found);
    children_.emplace(new_name, node);
    return Status::ok;
  }

  // The caller sees to it that the target is not below the node that moves.
  Status move_to(DirectoryNode& target, const Node& node, const std::string& name, const std::string& new_name) {
    const std::lock_guard first(lower(target).mutex_);
    const std::lock_guard second(upper(target).mutex_);
    if (child(name) != &node) return Status::busy;
    if (target.removed_) return Status::not_found;
    if (target.children_.contains(new_name)) return Status::exists;
    auto entry = children_.extract(name);
    entry.key() = new_name;
    entry.mapped()->set_parent(&target);
    target.children_.insert(std::move(entry));
    return Status::ok;
  }

  std::vector<Entry> entries() const {
    const std::lock_guard guard(mutex_);
    return std::vector<Entry>(children_.begin(), children_.end());
  }

  std::vector<std::string> names() const {
    const std::lock_guard guard(mutex_);
    std::vector<std::string> result;
    for (const auto& entry : children_) result.push_back(entry.first);
    return result;
  }

  std::vector<std::string> names_like(const std::string& pattern) const {
    const std::lock_guard guard(mutex_);
    std::vector<std::string> result;
    for (const auto& entry : children_) {
      if (matches(pattern, entry.first)) result.push_back(entry.first);
    }
    return result;
  }

  bool removed() const {
    const std::lock_guard guard(mutex_);
    return removed_;
  }

 private:
  DirectoryNode& lower(DirectoryNode& other) { return number() < other.number() ? *this : other; }
  DirectoryNode& upper(DirectoryNode& other) { return number() < other.number() ? other : *this; }

  Node* child(const std::string& name) const {
    const auto found = children_.find(name);
    return found == children_.end() ? nullptr : found->second;
  }

  mutable std::mutex mutex_;
  std::map<std::string, Node*> children_;
  bool removed_ = false;
};

}  // namespace vfs
