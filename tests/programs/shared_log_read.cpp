// A log that is shown while a thread still writes to it.
//
// norn: bug data-race
#include <sstream>
#include <string>
#include <thread>

int main() {
  std::stringstream log;
  std::thread worker([&] { log << 3.5; });
  const std::string text = log.str();
  worker.join();
  return text.size() > 3;
}
