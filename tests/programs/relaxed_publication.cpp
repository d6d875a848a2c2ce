// A message that is published through a relaxed flag: the reader sees the flag, but nothing says that it sees the
// message too.
//
// norn: bug data-race
#include <atomic>
#include <string>
#include <thread>

class Mailbox {
 public:
  void post(std::string text) {
    text_ = std::move(text);
    posted_.store(true, std::memory_order_relaxed);
  }

  const std::string& wait() const {
    while (!posted_.load(std::memory_order_relaxed)) std::this_thread::yield();
    return text_;
  }

 private:
  std::string text_;
  std::atomic<bool> posted_{false};
};

int main() {
  Mailbox mailbox;
  std::size_t length = 0;
  std::thread reader([&] { length = mailbox.wait().size(); });
  mailbox.post("see you at the station");
  reader.join();
  return length != 22;
}
