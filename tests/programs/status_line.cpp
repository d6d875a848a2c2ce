// A status line that is shown while it is changed: a string, whose functions some standards keep in the C++ library.
//
// norn: bug data-race
#include <string>
#include <thread>

int main() {
  std::string status = "idle";
  std::thread worker([&] { status.append(", then busy"); });
  const auto comma = status.find(',');
  worker.join();
  return comma == 0;
}
