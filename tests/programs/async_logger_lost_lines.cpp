// A logger whose thread leaves when it sees that the logger is closed, although lines may have come in since it last
// looked at the list.
//
// norn: bug assertion
// norn expects: sink.size() == 2
#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Logger {
 public:
  explicit Logger(std::vector<std::string>& sink) : sink_(sink), writer_([this] { write(); }) {}

  ~Logger() {
    closed_ = true;
    writer_.join();
  }

  void log(std::string line) {
    std::lock_guard lock(mutex_);
    pending_.push_back(std::move(line));
  }

 private:
  void write() {
    do {
      std::vector<std::string> lines;
      {
        std::lock_guard lock(mutex_);
        lines.swap(pending_);
      }
      for (auto& line : lines) sink_.push_back(std::move(line));
      std::this_thread::yield();
    } while (!closed_);
  }

  std::vector<std::string>& sink_;
  std::mutex mutex_;
  std::vector<std::string> pending_;
  std::atomic<bool> closed_{false};
  std::thread writer_;
};

int main() {
  std::vector<std::string> sink;
  {
    Logger logger(sink);
    logger.log("started");
    logger.log("stopped");
  }
  assert(sink.size() == 2);
}
