// Two threads write to one log. The stream keeps its buffer inside the C++ library.
//
// norn: bug data-race
#include <sstream>
#include <thread>

int main() {
  std::ostringstream log;
  std::thread worker([&] { log << "worker " << 1 << '\n'; });
  log << "main\n";
  worker.join();
}
