// A configuration that is there before main() begins and is replaced while a thread copies the pointer to it. What the
// copy is made of may be freed by then, but it is the race that is the bug.
//
// norn: bug data-race
// norn expects: reads current
#include <memory>
#include <thread>

struct Config {
  int limits[4];
};

std::shared_ptr<Config> current = std::make_shared<Config>();

int main() {
  std::thread other([] { current = std::make_shared<Config>(); });
  const auto mine = current;
  other.join();
  return mine->limits[0];
}
