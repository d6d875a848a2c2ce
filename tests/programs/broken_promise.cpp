// A request whose worker gives up without an answer when it is told to stop: the promise goes away unfulfilled, and the
// client, who expects a number, gets an exception.
//
// norn: bug exception
// norn expects: Broken promise
#include <atomic>
#include <future>
#include <thread>
#include <utility>

class Worker {
 public:
  std::future<int> start(int question) {
    std::promise<int> promise;
    std::future<int> answer = promise.get_future();
    thread_ = std::thread([this, question, reply = std::move(promise)]() mutable {
      if (stopping_) return;
      reply.set_value(question * question);
    });
    return answer;
  }

  void stop() { stopping_ = true; }
  ~Worker() { thread_.join(); }

 private:
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

int main() {
  Worker worker;
  std::future<int> answer = worker.start(12);
  worker.stop();
  return answer.get() == 144 ? 0 : 1;
}
