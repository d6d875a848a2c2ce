// A message that is published through a flag, stored with release and loaded with acquire, and handed on by a second
// thread in the same way.
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
  Mailbox office, home;
  std::string received;
  std::thread courier([&] { home.post(office.wait() + ", platform 4"); });
  std::thread reader([&] { received = home.wait(); });
  office.post("see you at the station");
  courier.join();
  reader.join();
  assert(received == "see you at the station, platform 4");
}
