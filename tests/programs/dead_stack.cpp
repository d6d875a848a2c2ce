// A client that puts a request from its own stack into the server's queue and goes away when the answer takes too long.
// The server then writes the answer to a stack that is no more.
//
// norn: bug memory
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

struct Request {
  int question = 0;
  int answer = 0;
  bool answered = false;
};

class Server {
 public:
  int ask(int question) {
    Request request{question};
    std::unique_lock lock(mutex_);
    requests_.push_back(&request);
    answered_.wait_for(lock, std::chrono::seconds(1), [&] { return request.answered; });
    return request.answer;
  }

  void serve() {
    std::lock_guard lock(mutex_);
    for (; !requests_.empty(); requests_.pop_front()) {
      Request& request = *requests_.front();
      request.answer = request.question + 1;
      request.answered = true;
    }
    answered_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable answered_;
  std::deque<Request*> requests_;
};

int main() {
  Server server;
  int answer = 0;
  std::thread client([&] { answer = server.ask(41); });
  server.serve();
  client.join();
  server.serve();
  return answer != 0 && answer != 42;
}
