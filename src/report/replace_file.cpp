#include "report/replace_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace norn {
namespace {

namespace fs = std::filesystem;

/// A descriptor that is closed.
class File {
 public:
  File(const fs::path& path, int flags) : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t part = ::write(descriptor_, text.data(), text.size());
      if (part < 0 && errno == EINTR) continue;
      if (part <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(part));
    }
    return true;
  }
  [[nodiscard]] bool sync() const { return fsync(descriptor_) == 0; }
  /// Whoever may read the other file may read this one.
  void take_mode_of(const fs::path& other) const {
    struct stat status {};
    if (stat(other.c_str(), &status) == 0) static_cast<void>(fchmod(descriptor_, status.st_mode & 07777));
  }

 private:
  int descriptor_;
};

/// A file that gets too large for a limit is an error like others.
class IgnoreFileSizeSignal {
 public:
  IgnoreFileSizeSignal() : previous_(signal(SIGXFSZ, SIG_IGN)) {}
  ~IgnoreFileSizeSignal() { signal(SIGXFSZ, previous_); }
  IgnoreFileSizeSignal(const IgnoreFileSizeSignal&) = delete;
  IgnoreFileSizeSignal& operator=(const IgnoreFileSizeSignal&) = delete;

 private:
  sighandler_t previous_;
};

fs::path resolved(const fs::path& file) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(fs::absolute(file), error);
  return error ? fs::absolute(file) : path;
}

fs::path beside(const fs::path& file) { return file.string() + ".new"; }

bool is_below(const fs::path& file, const char* directory) {
  const std::string path = fs::absolute(file).lexically_normal().string();
  return path.starts_with(directory);
}

bool write_aside(const fs::path& aside, const fs::path& file, std::string_view text, Safety safety) {
  const IgnoreFileSizeSignal guard;
  const File written(aside, O_WRONLY | O_CREAT | O_TRUNC);
  if (!written.is_open() || !written.write(text)) return false;
  written.take_mode_of(file);
  return safety == Safety::from_full_disks || written.sync();
}

void remove_keeping_error(const fs::path& file) {
  const int error = errno;
  unlink(file.c_str());
  errno = error;
}

}  // namespace

bool is_replaceable(const fs::path& file) {
  std::error_code error;
  const fs::file_type type = fs::status(file, error).type();
  const bool is_usual = type == fs::file_type::regular || type == fs::file_type::not_found;
  return is_usual && !is_below(file, "/dev/") && !is_below(file, "/proc/");
}

bool replace_file(const fs::path& file, std::string_view text, Safety safety) {
  const fs::path whole = resolved(file);
  const fs::path aside = beside(whole);
  if (write_aside(aside, whole, text, safety) && rename(aside.c_str(), whole.c_str()) == 0) {
    if (safety == Safety::from_full_disks) return true;
    const File directory(whole.parent_path(), O_RDONLY | O_DIRECTORY);
    if (directory.is_open()) static_cast<void>(directory.sync());
    return true;
  }
  remove_keeping_error(aside);
  return false;
}

bool can_replace_file(const fs::path& file) {
  const fs::path whole = resolved(file);
  const bool can = write_aside(beside(whole), whole, "norn\n", Safety::from_power_failures);
  remove_keeping_error(beside(whole));
  return can;
}

}  // namespace norn
