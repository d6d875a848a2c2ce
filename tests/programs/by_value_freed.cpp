// The settings of a connection are handed on by value after the connection is gone.
//
// norn: bug memory
// norn expects: use after free
#include <memory>
#include <mutex>
#include <thread>

struct Settings {
  int retries;
  int seconds;
  int size;
};

struct Connection {
  Settings settings{3, 10, 512};
};

std::mutex mutex;
std::unique_ptr<Connection> connection = std::make_unique<Connection>();

[[gnu::noinline]] int patience(Settings settings) { return settings.retries * settings.seconds; }

int main() {
  Connection* const mine = connection.get();
  std::thread closing([] {
    const std::lock_guard lock(mutex);
    connection.reset();
  });
  int seconds = 0;
  {
    const std::lock_guard lock(mutex);
    seconds = patience(mine->settings);
  }
  closing.join();
  return seconds == 30 ? 0 : 1;
}
