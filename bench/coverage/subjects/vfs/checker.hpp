// Whether the parts of a file system agree with each other while nobody uses it.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "file_system.hpp"

namespace vfs {

class Checker {
 public:
  explicit Checker(FileSystem& files) : files_(files) {}

  // Every node is in one directory, which it knows. A tree that is mounted twice is looked at once.
  bool tree_is_sound() {
    bool sound = true;
    std::set<const Node*> seen;
    for (const auto& mount : files_.mounts().all()) {
      if (!mount.provider->writable()) continue;
      files_.visit(mount.point, [&](const Path&, Node& node) { sound = sound && seen.insert(&node).second; });
      sound = sound && parents_are_right(mount.provider->root());
    }
    return sound;
  }

  bool quota_is_right(const Path& point) {
    const auto mount = files_.mounts().find(point);
    if (!mount) return false;
    std::size_t bytes = 0;
    files_.visit(point, [&](const Path&, Node& node) { bytes += node.is_directory() ? 0 : node.size(); });
    return mount->provider->quota().used() == bytes;
  }

  // What the cache knows is what one finds without it.
  bool caches_are_right() {
    const auto cached = files_.node_cache().snapshot();
    files_.node_cache().clear();
    for (const auto& [path, node] : cached) {
      const auto found = files_.resolve(path);
      if (!found || *found != node) return false;
    }
    return files_.content_cache().consistent();
  }

  bool index_is_right(const NameIndex& index, const Path& point) {
    std::map<std::string, int> names;
    files_.visit(point, [&](const Path& path, Node&) { ++names[path.name()]; });
    return index.counts() == names;
  }

  bool nothing_is_left() {
    return files_.journal().unfinished() == 0 && files_.handles().open_handles() == 0 && files_.locks().locked() == 0;
  }

 private:
  static bool parents_are_right(DirectoryNode& directory) {
    for (const auto& entry : directory.entries()) {
      Node* const node = entry.second;
      if (node->parent() != &directory) return false;
      if (node->is_directory() && !parents_are_right(static_cast<DirectoryNode&>(*node))) return false;
    }
    return true;
  }

  FileSystem& files_;
};

}  // namespace vfs
