// A server that starts a thread and joins it on the way out, unless it gives up early: then the destructor of a thread
// that was not joined ends the program.
//
// norn: bug abort
#include <atomic>
#include <thread>

class Server {
 public:
  bool run() {
    std::thread listener([this] { connected_ = true; });
    if (!connected_) return false;
    listener.join();
    return true;
  }

 private:
  std::atomic<bool> connected_{false};
};

int main() {
  Server server;
  server.run();
}
