// A server that loads the pointer to the current session twice, once to see that there is one and once to use it; the
// logout in between makes the second a null pointer.
//
// norn: bug crash
#include <atomic>
#include <string>
#include <thread>

struct Session {
  std::string user;
  std::atomic<int> requests{0};
};

class Server {
 public:
  explicit Server(Session& session) : current_(&session) {}

  void request() {
    if (current_.load() != nullptr) current_.load()->requests++;  // one load, kept, would do it right
  }
  void logout() { current_ = nullptr; }

 private:
  std::atomic<Session*> current_;
};

int main() {
  Session session{"alice"};
  Server server(session);
  std::thread client([&] { server.request(); });
  server.logout();
  client.join();
}
