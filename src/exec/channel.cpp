#include "exec/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "exec/fatal.hpp"
#include "exec/real.hpp"
#include "exec/services.hpp"

namespace norn::exec {
namespace {

using Length = std::uint64_t;

}  // namespace

std::pair<Channel, Channel> Channel::make() {
  int ends[2];
  if (NORN_REAL(socketpair)(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    fatal("cannot connect worker processes (too many open files?)");
  return {Channel(make_own(ends[0])), Channel(make_own(ends[1]))};
}

Channel& Channel::operator=(Channel&& other) noexcept {
  close();
  descriptor_ = std::exchange(other.descriptor_, -1);
  got_ = std::move(other.got_);
  return *this;
}

void Channel::close() {
  if (descriptor_ >= 0) NORN_REAL(close)(descriptor_);
  descriptor_ = -1;
  got_.clear();
}

bool Channel::send(const std::string& message) const {
  const Length length = message.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += message;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t part = NORN_REAL(send)(descriptor_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return false;
    done += static_cast<std::size_t>(part);
  }
  return true;
}

std::optional<std::string> Channel::receive() {
  for (;;) {
    if (std::optional<std::string> message = take()) return message;
    if (!read()) return std::nullopt;
  }
}

bool Channel::read() {
  char bytes[1 << 16];
  const ssize_t part = NORN_REAL(recv)(descriptor_, bytes, sizeof bytes, 0);
  if (part > 0) got_.append(bytes, static_cast<std::size_t>(part));
  return part > 0 || (part < 0 && errno == EINTR);
}

std::optional<std::string> Channel::take() {
  Length length = 0;
  if (got_.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, got_.data(), sizeof length);
  if (got_.size() - sizeof length < length) return std::nullopt;
  std::string message = got_.substr(sizeof length, length);
  got_.erase(0, sizeof length + length);
  return message;
}

}  // namespace norn::exec
