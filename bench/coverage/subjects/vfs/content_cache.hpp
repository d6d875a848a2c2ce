// Contents of whole files, each with the version of the file that it belongs to.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace vfs {

class ContentCache {
 public:
  explicit ContentCache(std::size_t bytes) : most_bytes_(bytes) {}

  std::optional<std::string> find(int node, int version) const {
    const std::lock_guard guard(mutex_);
    const auto found = contents_.find(node);
    if (found == contents_.end() || found->second.version != version) return std::nullopt;
    return found->second.text;
  }

  // An older version never replaces a newer one.
  void store(int node, int version, const std::string& text) {
    const std::lock_guard guard(mutex_);
    auto& content = contents_[node];
    if (content.version > version) return;
    bytes_ = bytes_ - content.text.size() + text.size();
    content = {version, text};
    make_room(node);
  }

  void drop(int node) {
    const std::lock_guard guard(mutex_);
    const auto found = contents_.find(node);
    if (found == contents_.end()) return;
    bytes_ -= found->second.text.size();
    contents_.erase(found);
  }

  void clear() {
    const std::lock_guard guard(mutex_);
    contents_.clear();
    bytes_ = 0;
  }

  std::size_t bytes() const {
    const std::lock_guard guard(mutex_);
    return bytes_;
  }

  std::optional<int> version(int node) const {
    const std::lock_guard guard(mutex_);
    const auto found = contents_.find(node);
    return found == contents_.end() ? std::nullopt : std::optional<int>(found->second.version);
  }

  bool consistent() const {
    const std::lock_guard guard(mutex_);
    std::size_t sum = 0;
    for (const auto& entry : contents_) sum += entry.second.text.size();
    return sum == bytes_;
  }

 private:
  struct Content {
    int version = -1;
    std::string text;
  };

  void make_room(int kept) {
    for (auto next = contents_.begin(); bytes_ > most_bytes_ && next != contents_.end();) {
      const auto content = next++;
      if (content->first == kept) continue;
      bytes_ -= content->second.text.size();
      contents_.erase(content);
    }
  }

  mutable std::mutex mutex_;
  const std::size_t most_bytes_;
  std::map<int, Content> contents_;
  std::size_t bytes_ = 0;
};

}  // namespace vfs
