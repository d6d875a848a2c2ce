// Settings that are replaced as a whole while others read them: a reader marks itself as reading, loads the pointer and
// reads; the writer publishes a new version and frees the old one when it has seen every reader outside.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <memory>
#include <string>
#include <thread>

struct Settings {
  std::string host;
  int port;
};

class SharedSettings {
 public:
  explicit SharedSettings(Settings first) : current_(new Settings(std::move(first))) {}
  ~SharedSettings() { delete current_.load(); }

  template <typename Function>
  void read(Function function) {
    reading_.store(true);
    function(*current_.load());
    reading_.store(false);
  }

  void replace(Settings next) {
    std::unique_ptr<const Settings> old(current_.exchange(new Settings(std::move(next))));
    while (reading_.load()) std::this_thread::yield();
  }

 private:
  std::atomic<const Settings*> current_;
  std::atomic<bool> reading_{false};
};

int main() {
  SharedSettings shared({"an address that needs the heap", 80});
  std::thread reader([&] {
    shared.read([](const Settings& settings) {
      assert(settings.port == 80 ? settings.host.starts_with("an") : settings.host.starts_with("another"));
    });
  });
  shared.replace({"another address that needs the heap", 8080});
  reader.join();
  shared.read([](const Settings& settings) { assert(settings.port == 8080); });
}
