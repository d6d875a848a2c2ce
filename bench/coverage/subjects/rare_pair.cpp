// A queue of readings that is shut down in two steps: an uploader that finds the queue empty says goodbye to the server
// and then closes the queue. A reading that a sensor hands in between the two steps is accepted and never sent. That
// takes a sensor that is so late that the uploader has done all its rounds, and still comes before the queue is closed:
// its lock in submit has to follow right after that in stop_if_empty.
//
// norn: bug abort
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "driver.hpp"

class ReadingQueue {
 public:
  // False if the queue is closed; the sensor keeps the reading then.
  bool submit(int reading) {
    const std::lock_guard guard(mutex_);
    if (closed_) return false;  // asking for stopping_ here would do it right
    readings_.push_back(reading);
    return true;
  }

  std::optional<int> take() {
    const std::lock_guard guard(mutex_);
    if (readings_.empty()) return std::nullopt;
    const int reading = readings_.front();
    readings_.pop_front();
    return reading;
  }

  bool stop_if_empty() {
    const std::lock_guard guard(mutex_);
    stopping_ = readings_.empty();
    return stopping_;
  }

  void close() {
    const std::lock_guard guard(mutex_);
    closed_ = true;
  }

 private:
  std::mutex mutex_;
  std::deque<int> readings_;
  bool stopping_ = false;
  bool closed_ = false;
};

class Server {
 public:
  void send(int reading) {
    const std::lock_guard guard(mutex_);
    received_.push_back(reading);
  }

  void keep_alive() {
    const std::lock_guard guard(mutex_);
    ++keep_alives_;
  }

  void say_goodbye() {
    const std::lock_guard guard(mutex_);
    connected_ = false;
  }

  int received() {
    const std::lock_guard guard(mutex_);
    require(!connected_, "the uploader said goodbye");
    return static_cast<int>(received_.size());
  }

 private:
  std::mutex mutex_;
  std::vector<int> received_;
  int keep_alives_ = 0;
  bool connected_ = true;
};

// Readings that were not handed in, and how often the uploader looked.
class Notebook {
 public:
  void round() {
    const std::lock_guard guard(mutex_);
    ++rounds_;
  }

  void keep(int reading) {
    const std::lock_guard guard(mutex_);
    kept_.push_back(reading);
  }

  int kept() {
    const std::lock_guard guard(mutex_);
    return static_cast<int>(kept_.size());
  }

 private:
  std::mutex mutex_;
  std::vector<int> kept_;
  int rounds_ = 0;
};

constexpr int kRounds = 5;

static void upload(ReadingQueue& queue, Server& server, Notebook& notebook) {
  for (int i = 0; i < kRounds; ++i) {
    if (const auto reading = queue.take()) {
      server.send(*reading);
    } else {
      server.keep_alive();
    }
    notebook.round();
  }
  while (!queue.stop_if_empty()) {
    if (const auto reading = queue.take()) server.send(*reading);
  }
  server.say_goodbye();
  queue.close();
}

static int measure(ReadingQueue& queue, Notebook& notebook, int reading) {
  if (!queue.submit(reading)) notebook.keep(reading);
  return 1;
}

int main() {
  ReadingQueue queue;
  Server server;
  Notebook notebook;
  const int readings = run_together({
      [&] { return measure(queue, notebook, 20); },
      [&] { return measure(queue, notebook, 21); },
      [&] { upload(queue, server, notebook); },
  });
  require(server.received() + notebook.kept() == readings, "every reading was sent or kept");
}
