// A logger whose callers only put a line into a list, and whose own thread writes the lines; what was logged before the
// logger is closed is written before close returns.
//
// norn: pass
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Logger {
 public:
  explicit Logger(std::vector<std::string>& sink) : sink_(sink), writer_([this] { write(); }) {}
  ~Logger() { close(); }

  void log(std::string line) {
    std::lock_guard lock(mutex_);
    pending_.push_back(std::move(line));
    changed_.notify_one();
  }

  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
      changed_.notify_one();
    }
    if (writer_.joinable()) writer_.join();
  }

 private:
  void write() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return closed_ || !pending_.empty(); });
      std::vector<std::string> lines;
      lines.swap(pending_);
      const bool last = closed_;
      lock.unlock();
      for (auto& line : lines) sink_.push_back(std::move(line));
      if (last) return;
      lock.lock();
    }
  }

  std::vector<std::string>& sink_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> pending_;
  bool closed_ = false;
  std::thread writer_;
};

int main() {
  std::vector<std::string> sink;
  Logger logger(sink);
  std::thread client([&] { logger.log("client"); });
  logger.log("started");
  logger.log("listening");
  client.join();
  logger.close();
  assert(sink.size() == 3);
  std::erase(sink, "client");
  assert(sink == std::vector<std::string>({"started", "listening"}));
}
