// A message that is published through a flag, stored with release and loaded with acquire, and read by two.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

class Mailbox {
 public:
  void post(std::string text) {
    text_ = std::move(text);
    posted_.store(true, std::memory_order_release);
  }

  const std::string& wait() const {
    while (!posted_.load(std::memory_order_acquire)) std::this_thread::yield();
    return text_;
  }

 private:
  std::string text_;
  std::atomic<bool> posted_{false};
};

int main() {
  Mailbox mailbox;
  std::string copy;
  std::thread reader([&] { copy = mailbox.wait() + ", platform 4"; });
  mailbox.post("see you at the station");
  assert(mailbox.wait().size() == 22);
  reader.join();
  assert(copy == "see you at the station, platform 4");
}
