// A session deletes itself while its own lock is held. Destroying a std::mutex calls nothing, but its memory is freed.
//
// norn: bug misuse
#include <mutex>
#include <thread>

struct Session {
  std::mutex mutex;
  int users = 1;

  void leave() {
    const std::lock_guard lock(mutex);
    if (--users == 0) delete this;
  }
};

int main() {
  auto* session = new Session;
  std::thread([session] { session->leave(); }).join();
}
