// Lazy initialisation as it was written for one thread and then used by two.
//
// norn: bug data-race
#include <memory>
#include <string>
#include <thread>

struct Settings {
  std::string host = "localhost";
  int port = 8080;
};

static std::unique_ptr<Settings> settings;

static const Settings& current_settings() {
  if (!settings) settings = std::make_unique<Settings>();
  return *settings;
}

static int connect() {
  const Settings& found = current_settings();
  return found.port + static_cast<int>(found.host.size());
}

int main() {
  int sum = 0;
  std::thread other([&] { sum = connect(); });
  const int mine = connect();
  other.join();
  return mine != sum;
}
