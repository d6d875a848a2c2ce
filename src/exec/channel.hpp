#pragma once

#include <optional>
#include <string>
#include <utility>

namespace norn::exec {

/// Messages between two processes: each arrives whole or not at all.
class Channel {
 public:
  /// Two ends that are connected.
  static std::pair<Channel, Channel> make();

  Channel() = default;
  Channel(Channel&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), got_(std::move(other.got_)) {}
  Channel& operator=(Channel&& other) noexcept;
  ~Channel() { close(); }

  [[nodiscard]] int descriptor() const { return descriptor_; }
  void close();

  /// False if nobody is at the other end any more.
  bool send(const std::string& message) const;
  /// Waits for a message; nothing if nobody is there any more.
  std::optional<std::string> receive();
  /// Reads what has come; false if nobody is there any more.
  bool read();
  /// A message that has come wholly.
  std::optional<std::string> take();

 private:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
  std::string got_;
};

}  // namespace norn::exec
