// What a user does with a file system: relative paths, rights, and whole operations with files that are locked
// meanwhile.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file_system.hpp"

namespace vfs {

class Session {
 public:
  Session(FileSystem& files, std::string user, Path home)
      : files_(files), user_(std::move(user)), directory_(std::move(home)) {}

  ~Session() { close_all(); }

  Status change_directory(std::string_view path) {
    const Path target = absolute(path);
    if (const auto directory = files_.resolve_directory(target); !directory) return directory.status();
    const std::lock_guard guard(mutex_);
    directory_ = target;
    return Status::ok;
  }

  Path directory() const {
    const std::lock_guard guard(mutex_);
    return directory_;
  }

  Path absolute(std::string_view path) const {
    if (path.starts_with('/')) return path;
    const std::lock_guard guard(mutex_);
    return directory_.text() + "/" + std::string(path);
  }

  Status make_directory(std::string_view path) {
    const Path target = absolute(path);
    const Status allowed = files_.access().may_write(user_, target);
    return allowed == Status::ok ? files_.create_directories(target) : allowed;
  }

  Status make_file(std::string_view path) {
    const Path target = absolute(path);
    const Status allowed = files_.access().may_write(user_, target);
    return allowed == Status::ok ? files_.create_file(target) : allowed;
  }

  Status remove(std::string_view path) {
    const Path target = absolute(path);
    const Status allowed = files_.access().may_write(user_, target);
    return allowed == Status::ok ? files_.remove(target) : allowed;
  }

  Status rename(std::string_view from, std::string_view to) {
    const Path source = absolute(from);
    const Path target = absolute(to);
    for (const auto& path : {source, target}) {
      if (const Status allowed = files_.access().may_write(user_, path); allowed != Status::ok) return allowed;
    }
    return files_.rename(source, target);
  }

  Result<int> open(std::string_view path, OpenMode mode) {
    const Path target = absolute(path);
    const Status allowed =
        mode == OpenMode::read ? files_.access().may_read(user_, target) : files_.access().may_write(user_, target);
    if (allowed != Status::ok) return allowed;
    const auto handle = files_.open(target, mode);
    if (handle) remember(*handle);
    return handle;
  }

  Status close(int handle) {
    {
      const std::lock_guard guard(mutex_);
      std::erase(open_, handle);
    }
    return files_.close(handle);
  }

  void close_all() {
    std::vector<int> open;
    {
      const std::lock_guard guard(mutex_);
      open.swap(open_);
    }
    for (const int handle : open) files_.close(handle);
  }

  std::size_t open_handles() const {
    const std::lock_guard guard(mutex_);
    return open_.size();
  }

  // Replaces the content of a file that nobody else reads or writes meanwhile, if they respect the locks.
  Status save(std::string_view path, const std::string& text) {
    const auto file = files_.resolve_file(absolute(path));
    if (!file) return file.status();
    files_.locks().lock_exclusive((*file)->number());
    const Status status = save_locked(path, text);
    files_.locks().unlock_exclusive((*file)->number());
    return status;
  }

  Result<std::string> load(std::string_view path) {
    const Path target = absolute(path);
    if (const Status allowed = files_.access().may_read(user_, target); allowed != Status::ok) return allowed;
    const auto file = files_.resolve_file(target);
    if (!file) return file.status();
    files_.locks().lock_shared((*file)->number());
    auto text = files_.read_file(target);
    files_.locks().unlock_shared((*file)->number());
    return text;
  }

 private:
  Status save_locked(std::string_view path, const std::string& text) {
    const auto handle = open(path, OpenMode::write);
    if (!handle) return handle.status();
    Status status = files_.truncate(*handle, 0);
    if (status == Status::ok) status = files_.write(*handle, text);
    close(*handle);
    return status;
  }

  void remember(int handle) {
    const std::lock_guard guard(mutex_);
    open_.push_back(handle);
  }

  FileSystem& files_;
  const std::string user_;
  mutable std::mutex mutex_;
  Path directory_;
  std::vector<int> open_;
};

}  // namespace vfs
