// Settings that are replaced as a whole, and the old version freed at once: a reader that has loaded the pointer reads
// what is no more.
//
// norn: bug memory data-race
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Settings {
  explicit Settings(int number) : port(number), backup_port(number + 1) {}
  std::atomic<int> port;
  std::atomic<int> backup_port;
};

class SharedSettings {
 public:
  explicit SharedSettings(int port) : current_(new Settings(port)) {}
  ~SharedSettings() { delete current_.load(); }

  int port(bool is_down) const {
    const Settings* settings = current_.load();
    return is_down ? settings->backup_port : settings->port;
  }

  void replace(int port) { delete current_.exchange(new Settings(port)); }

 private:
  std::atomic<Settings*> current_;
};

int main() {
  SharedSettings shared(80);
  std::thread client([&] { assert(shared.port(false) == 80 || shared.port(false) == 8080); });
  shared.replace(8080);
  client.join();
}
