// A thread that waits for an ordinary bool to become true.
//
// norn: bug data-race
#include <thread>

class Service {
 public:
  void start(int port) {
    port_ = port;
    ready_ = true;
  }

  int wait() const {
    while (!ready_) std::this_thread::yield();
    return port_;
  }

 private:
  bool ready_ = false;
  int port_ = 0;
};

int main() {
  Service service;
  int port = 0;
  std::thread client([&] { port = service.wait(); });
  service.start(8080);
  client.join();
  return port != 8080;
}
