// Two threads write to one file by the same stream.
//
// norn: bug data-race
#include <fstream>
#include <thread>

int main() {
  std::ofstream file("/dev/null");
  std::thread worker([&] { file << 1; });
  file.write("text", 4);
  worker.join();
}
