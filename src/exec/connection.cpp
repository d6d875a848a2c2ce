#include "exec/connection.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "exec/fatal.hpp"
#include "exec/real.hpp"
#include "exec/services.hpp"
#include "support/options.hpp"

namespace norn::exec {
namespace {

using nlohmann::json;

int connection = -1;

void send_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t part = NORN_REAL(send)(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(part));
  }
}

}  // namespace

void connect_to_command(int descriptor) { connection = make_own(descriptor); }

bool has_command() { return connection >= 0; }

void send_to_command(json message, std::string_view bytes) {
  message["protocol"] = protocol;
  if (!bytes.empty()) message["bytes"] = bytes.size();
  send_all(message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  send_all(bytes);
}

std::string line_from_command() {
  std::string line;
  char c;
  while (NORN_REAL(read)(connection, &c, 1) == 1 && c != '\n') line.push_back(c);
  return line;
}

std::string bytes_from_command(std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t got = 0;
  while (got < count) {
    const ssize_t part = NORN_REAL(read)(connection, bytes.data() + got, count - got);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) break;
    got += static_cast<std::size_t>(part);
  }
  bytes.resize(got);
  return bytes;
}

void fatal(std::string_view message) {
  if (has_command()) {
    send_to_command({{"fatal", message}});
  } else {
    const std::string text = fmt::format("norn: {}\n", message);
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  }
  NORN_REAL(_exit)(4);
  __builtin_unreachable();
}

}  // namespace norn::exec
