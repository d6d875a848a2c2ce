// A lazily opened file that is closed, its flag and all, while a thread is about to open it.
//
// norn: bug memory
// norn expects: use after free
#include <mutex>
#include <thread>

struct File {
  std::once_flag opened;
};

int main() {
  auto* file = new File;
  std::thread reader([file] { std::call_once(file->opened, [] {}); });
  delete file;
  reader.join();
}
