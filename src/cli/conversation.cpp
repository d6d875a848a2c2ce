#include "cli/conversation.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "cli/interrupts.hpp"

namespace norn {
namespace {

using nlohmann::json;

/// A message is a line of JSON; if it says how many "bytes", these follow.
struct Message {
  json head;
  std::string bytes;
};

class Listener {
 public:
  explicit Listener(int descriptor) : descriptor_(descriptor) {}

  /// Waits a moment for more; false if there will be no more.
  bool hear() {
    constexpr int moment = 100;
    pollfd connection{descriptor_, POLLIN, 0};
    if (poll(&connection, 1, moment) <= 0) return true;
    char buffer[65536];
    const ssize_t part = read(descriptor_, buffer, sizeof buffer);
    if (part > 0) text_.append(buffer, static_cast<std::size_t>(part));
    return part > 0 || (part < 0 && errno == EINTR);
  }

  /// The next message that has come wholly.
  std::optional<Message> take() {
    const std::size_t end = text_.find('\n', searched_);
    searched_ = end == std::string::npos ? text_.size() : end;
    if (end == std::string::npos) return std::nullopt;
    Message message{json::parse(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false), {}};
    const auto bytes = message.head.is_object() ? message.head.value("bytes", std::size_t{0}) : 0;
    if (text_.size() - end - 1 < bytes) return std::nullopt;
    message.bytes = text_.substr(end + 1, bytes);
    text_.erase(0, end + 1 + bytes);
    searched_ = 0;
    return message;
  }

 private:
  int descriptor_;
  std::string text_;
  std::size_t searched_ = 0;
};

/// Passes Ctrl-C on.
class Stopper {
 public:
  explicit Stopper(pid_t process) : process_(process) {}

  void look() {
    const int asked = Interrupts::count() - before_;
    if (asked > 0 && !std::exchange(told_, true)) kill(process_, SIGTERM);
    if (asked < 2) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    throw Interrupts::last();
  }

 private:
  pid_t process_;
  int before_ = Interrupts::count();
  bool told_ = false;
};

}  // namespace

json converse(int descriptor, pid_t process, const Conversation& conversation) {
  Listener listener(descriptor);
  Stopper stopper(process);
  json last = json::value_t::discarded;
  for (bool lives = true; lives;) {
    stopper.look();
    lives = listener.hear();
    while (std::optional<Message> message = listener.take()) {
      json& head = message->head;
      if (!head.is_object()) continue;
      if (head.contains("asks")) {
        tell(descriptor, (conversation.answer ? conversation.answer(head) : json()).dump() + "\n");
      } else if (head.contains("progress")) {
        if (conversation.progress) conversation.progress(head.at("progress"));
      } else if (head.contains("checkpoint") && head.contains("bytes")) {
        if (conversation.checkpoint) conversation.checkpoint(message->bytes);
      } else {
        last = std::move(head);
      }
    }
  }
  return last;
}

void tell(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t part = send(descriptor, text.data(), text.size(), MSG_NOSIGNAL);
    // Whoever does not listen must not keep the user from stopping.
    if (part < 0 && errno == EINTR && Interrupts::count() == 0) continue;
    if (part <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(part));
  }
}

}  // namespace norn
