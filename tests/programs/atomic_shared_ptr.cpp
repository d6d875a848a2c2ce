// Settings in an atomic shared_ptr: readers keep the version that they loaded for as long as they need it.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <memory>
#include <string>
#include <thread>

struct Settings {
  int version;
  std::string name;
};

class Server {
 public:
  int request() const {
    const std::shared_ptr<const Settings> settings = settings_.load();
    assert(settings->name == (settings->version == 1 ? "the first settings" : "the second settings"));
    return settings->version;
  }

  void reload() { settings_.store(std::make_shared<const Settings>(Settings{2, "the second settings"})); }

 private:
  std::atomic<std::shared_ptr<const Settings>> settings_{
      std::make_shared<const Settings>(Settings{1, "the first settings"})};
};

int main() {
  Server server;
  std::thread client([&] { assert(server.request() <= 2); });
  server.reload();
  client.join();
  assert(server.request() == 2);
}
