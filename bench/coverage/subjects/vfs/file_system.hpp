// The file system that the parts make up.
//
// Order of locks: rename lock, handle table, handle, directories (by number), place of a node, content of a file, and
// quota. All other locks are leaves: whoever holds one takes no further lock. Listeners are called without any lock.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bookkeeping.hpp"
#include "content_cache.hpp"
#include "directory.hpp"
#include "events.hpp"
#include "file_handle.hpp"
#include "file_locks.hpp"
#include "mount_table.hpp"
#include "node.hpp"
#include "node_cache.hpp"
#include "path.hpp"
#include "provider.hpp"
#include "result.hpp"

namespace vfs {

struct NodeInfo {
  int number = 0;
  bool directory = false;
  std::size_t size = 0;
  int modified = 0;
  int handles = 0;
};

class FileSystem {
 public:
  FileSystem() : nodes_(kCachedNodes), contents_(kCachedBytes) {
    registry_.add("memory", [this](const std::string& name) {
      return std::make_unique<MemoryProvider>(numbers_, name, kDefaultQuota);
    });
  }

  // Providers.

  Result<Provider*> mount(const Path& point, const std::string& kind) {
    const auto provider = registry_.make(kind, point.text());
    if (!provider) return provider.status();
    const Status status = mount_provider(point, **provider);
    if (status != Status::ok) return status;
    return *provider;
  }

  // Shows a provider at a second place, where nobody can change it.
  Status mount_read_only(const Path& point, Provider& shown) {
    return mount_provider(point, *registry_.keep(std::make_unique<ReadOnlyProvider>(shown)));
  }

  Status unmount(const Path& point) {
    const Status status = mounts_.unmount(point);
    if (status == Status::ok) {
      nodes_.forget(point);
      bus_.publish({EventKind::unmounted, point, {}});
    }
    return count(Operation::unmount, status);
  }

  // Nodes.

  Result<Node*> resolve(const Path& path) {
    const int generation = nodes_.generation();
    if (Node* const known = nodes_.find(path)) return known;
    const auto mount = mounts_.find(path);
    if (!mount) return mount.status();
    const auto node = walk(mount->provider->root(), path.below(mount->point));
    // A tree that is shown twice is cached under the paths that changes are made with.
    if (node && mount->provider->writable()) nodes_.store(path, **node, generation);
    return node;
  }

  Result<FileNode*> resolve_file(const Path& path) {
    const auto node = resolve(path);
    if (!node) return node.status();
    if ((*node)->is_directory()) return Status::is_a_directory;
    return static_cast<FileNode*>(*node);
  }

  Result<DirectoryNode*> resolve_directory(const Path& path) {
    const auto node = resolve(path);
    if (!node) return node.status();
    if (!(*node)->is_directory()) return Status::not_a_directory;
    return static_cast<DirectoryNode*>(*node);
  }

  bool exists(const Path& path) { return static_cast<bool>(resolve(path)); }

  Result<NodeInfo> info(const Path& path) {
    const auto node = resolve(path);
    if (!node) return node.status();
    NodeInfo result{(*node)->number(), (*node)->is_directory(), (*node)->size(), (*node)->attributes().modified(), 0};
    if (!result.directory) result.handles = static_cast<FileNode&>(**node).handles();
    return result;
  }

  Status create_file(const Path& path) {
    return change(Operation::create, EventKind::created, path, [&](Provider& provider, DirectoryNode& parent) {
      const auto node = provider.create_file(parent, path.name());
      if (node) (*node)->attributes().touch(clock_.tick());
      return node.status();
    });
  }

  Status create_directory(const Path& path) {
    return change(Operation::create, EventKind::created, path, [&](Provider& provider, DirectoryNode& parent) {
      const auto node = provider.create_directory(parent, path.name());
      if (node) (*node)->attributes().touch(clock_.tick());
      return node.status();
    });
  }

  Status create_directories(const Path& path) {
    if (path.is_root() || mounts_.is_point(path)) return Status::ok;
    if (const Status status = create_directories(path.parent()); status != Status::ok) return status;
    const Status status = create_directory(path);
    return status == Status::exists ? Status::ok : status;
  }

  Status remove(const Path& path) {
    if (mounts_.is_point(path) || mounts_.has_points_below(path)) return count(Operation::remove, Status::busy);
    return change(Operation::remove, EventKind::removed, path, [&](Provider&, DirectoryNode& parent) {
      const auto file = parent.remove_file(path.name());
      if (file) {
        (*file)->stop_charging();
        contents_.drop((*file)->number());
      }
      const Status status =
          file.status() == Status::is_a_directory ? parent.remove_directory(path.name()) : file.status();
      if (status == Status::ok) nodes_.forget(path);
      return status;
    });
  }

  // Within a provider only. Nothing is replaced.
  Status rename(const Path& from, const Path& to) {
    const int entry = journal_.begin(Operation::rename, from);
    const Status status = rename_checked(from, to);
    finish(entry, status);
    if (status == Status::ok) {
      nodes_.forget(from);
      nodes_.forget(to);
      bus_.publish({EventKind::renamed, to, from});
    }
    return count(Operation::rename, status);
  }

  Result<std::vector<std::string>> list(const Path& path) {
    const auto directory = resolve_directory(path);
    count(Operation::list, directory.status());
    if (!directory) return directory.status();
    return (*directory)->names();
  }

  Result<std::vector<std::string>> list_like(const Path& path, const std::string& pattern) {
    const auto directory = resolve_directory(path);
    count(Operation::list, directory.status());
    if (!directory) return directory.status();
    return (*directory)->names_like(pattern);
  }

  // Visits everything below a path. What is moved meanwhile may be seen twice or not at all.
  void visit(const Path& path, const std::function<void(const Path&, Node&)>& visitor) {
    const auto directory = resolve_directory(path);
    if (directory) visit_below(path, **directory, visitor);
  }

  // Files.

  Result<int> open(const Path& path, OpenMode mode) {
    const auto handle = open_checked(path, mode);
    count(Operation::open, handle.status());
    return handle;
  }

  Status close(int number) {
    FileHandle* const handle = handles_.find(number);
    const Status status = handle == nullptr ? Status::invalid : handle->close();
    if (status == Status::ok) mounts_.release(handle->mount_point());
    return count(Operation::close, status);
  }

  Result<std::string> read(int number, std::size_t bytes) {
    FileHandle* const handle = handles_.find(number);
    if (handle == nullptr) return count(Operation::read, Status::invalid);
    auto data = handle->read(bytes);
    count(Operation::read, data.status());
    return data;
  }

  Status write(int number, const std::string& data) {
    FileHandle* const handle = handles_.find(number);
    if (handle == nullptr) return count(Operation::write, Status::invalid);
    return wrote(*handle, handle->write(data));
  }

  Status truncate(int number, std::size_t size) {
    FileHandle* const handle = handles_.find(number);
    if (handle == nullptr) return count(Operation::write, Status::invalid);
    return wrote(*handle, handle->truncate(size));
  }

  Status seek(int number, std::size_t position) {
    FileHandle* const handle = handles_.find(number);
    return handle == nullptr ? Status::invalid : handle->seek(position);
  }

  // The whole file, which the cache may know.
  Result<std::string> read_file(const Path& path) {
    const auto file = resolve_file(path);
    count(Operation::read, file.status());
    if (!file) return file.status();
    const int number = (*file)->number();
    if (auto known = contents_.find(number, (*file)->version())) return *known;
    int version = 0;
    std::string text = (*file)->read_all(version);
    contents_.store(number, version, text);
    return text;
  }

  Status copy_file(const Path& from, const Path& to) {
    const auto source = resolve_file(from);
    if (!source) return count(Operation::copy, source.status());
    if (const Status status = create_file(to); status != Status::ok) return count(Operation::copy, status);
    const auto target = resolve_file(to);
    if (!target) return count(Operation::copy, target.status());
    int version = 0;
    const Status status = (*target)->write(0, (*source)->read_all(version));
    (*target)->attributes().copy_from((*source)->attributes());
    return count(Operation::copy, status);
  }

  // Attributes.

  Status set_attribute(const Path& path, const std::string& name, const std::string& value) {
    const auto node = resolve(path);
    const Status status = node ? (*node)->attributes().set(name, value) : node.status();
    if (status == Status::ok) bus_.publish({EventKind::attributes_changed, path, {}});
    return count(Operation::attribute, status);
  }

  std::optional<std::string> attribute(const Path& path, const std::string& name) {
    const auto node = resolve(path);
    return node ? (*node)->attributes().get(name) : std::nullopt;
  }

  EventBus& events() { return bus_; }
  FileLocks& locks() { return locks_; }
  AccessControl& access() { return access_; }
  MountTable& mounts() { return mounts_; }
  NodeCache& node_cache() { return nodes_; }
  ContentCache& content_cache() { return contents_; }
  const HandleTable& handles() const { return handles_; }
  const Journal& journal() const { return journal_; }
  const Statistics& statistics() const { return statistics_; }
  const Clock& clock() const { return clock_; }

 private:
  static constexpr std::size_t kCachedNodes = 6;
  static constexpr std::size_t kCachedBytes = 64;
  static constexpr std::size_t kDefaultQuota = 256;

  static Result<Node*> walk(DirectoryNode& root, const Path& path) {
    Node* node = &root;
    for (const auto& part : path.parts()) {
      if (!node->is_directory()) return Status::not_a_directory;
      node = static_cast<DirectoryNode*>(node)->find(part);
      if (node == nullptr) return Status::not_found;
    }
    return node;
  }

  static void visit_below(const Path& path, DirectoryNode& directory,
                          const std::function<void(const Path&, Node&)>& visitor) {
    for (const auto& [name, node] : directory.entries()) {
      visitor(path.child(name), *node);
      if (node->is_directory()) visit_below(path.child(name), static_cast<DirectoryNode&>(*node), visitor);
    }
  }

  Status mount_provider(const Path& point, Provider& provider) {
    const Status status = mounts_.mount(point, provider);
    if (status == Status::ok) {
      nodes_.forget(point);
      bus_.publish({EventKind::mounted, point, {}});
    }
    return count(Operation::mount, status);
  }

  // What all changes of a directory have in common.
  Status change(Operation operation, EventKind kind, const Path& path,
                const std::function<Status(Provider&, DirectoryNode&)>& work) {
    const int entry = journal_.begin(operation, path);
    const Status status = change_parent(path, work);
    finish(entry, status);
    if (status == Status::ok) bus_.publish({kind, path, {}});
    return count(operation, status);
  }

  Status change_parent(const Path& path, const std::function<Status(Provider&, DirectoryNode&)>& work) {
    if (path.is_root()) return Status::invalid;
    const auto mount = mounts_.find(path.parent());
    if (!mount) return mount.status();
    if (!mount->provider->writable()) return Status::read_only;
    const auto parent = resolve_directory(path.parent());
    if (!parent) return parent.status();
    const Status status = work(*mount->provider, **parent);
    if (status == Status::ok) (*parent)->attributes().touch(clock_.tick());
    return status;
  }

  Status rename_checked(const Path& from, const Path& to) {
    if (from.is_root() || to.is_root() || mounts_.is_point(from)) return Status::invalid;
    const auto mount = mounts_.find(from);
    const auto target_mount = mounts_.find(to);
    if (!mount || !target_mount || mount->provider != target_mount->provider) return Status::invalid;
    if (!mount->provider->writable()) return Status::read_only;
    const auto parent = resolve_directory(from.parent());
    const auto target = resolve_directory(to.parent());
    if (!parent || !target) return Status::not_found;
    if (*parent == *target) return (*parent)->rename(from.name(), to.name());
    return move_between(**parent, **target, from.name(), to.name());
  }

  // One move at a time, so that none turns the tree around while another looks whether its target is below what moves.
  Status move_between(DirectoryNode& parent, DirectoryNode& target, const std::string& from, const std::string& to) {
    const std::lock_guard guard(rename_mutex_);
    Node* const node = parent.find(from);
    if (node == nullptr) return Status::not_found;
    for (const Node* above = &target; above != nullptr; above = above->parent()) {
      if (above == node) return Status::invalid;
    }
    return parent.move_to(target, *node, from, to);
  }

  Result<int> open_checked(const Path& path, OpenMode mode) {
    const auto mount = mounts_.find(path);
    if (!mount) return mount.status();
    if (mode != OpenMode::read && !mount->provider->writable()) return Status::read_only;
    const auto file = resolve_file(path);
    if (!file) return file.status();
    if (const Status status = mounts_.acquire(mount->point); status != Status::ok) return status;
    return handles_.add(std::make_unique<FileHandle>(**file, path, mount->point, mode));
  }

  Status wrote(FileHandle& handle, Status status) {
    if (status == Status::ok) {
      handle.node().attributes().touch(clock_.tick());
      contents_.drop(handle.node().number());
      bus_.publish({EventKind::written, handle.path(), {}});
    }
    return count(Operation::write, status);
  }

  void finish(int entry, Status status) { status == Status::ok ? journal_.commit(entry) : journal_.abort(entry); }

  Status count(Operation operation, Status status) {
    status == Status::ok ? statistics_.succeeded(operation) : statistics_.failed(operation, status);
    return status;
  }

  NodeNumbers numbers_;
  ProviderRegistry registry_;
  MountTable mounts_;
  NodeCache nodes_;
  ContentCache contents_;
  HandleTable handles_;
  FileLocks locks_;
  EventBus bus_;
  AccessControl access_;
  Journal journal_;
  Statistics statistics_;
  Clock clock_;
  std::mutex rename_mutex_;
};

}  // namespace vfs
