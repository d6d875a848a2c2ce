// A queue of readings that is shut down in two steps: an uploader takes what is left, sends it, says goodbye to the
// server and then closes the queue. A reading that a sensor hands in between the two steps is accepted and never sent.
// That takes a sensor that is so late that the uploader has done all its rounds, and that still comes before the queue
// is closed: its lock in submit has to follow right after that in take_rest.
//
// norn: bug abort
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "driver.hpp"

class ReadingQueue {
 public:
  // False if the queue is closed; the sensor keeps the reading then.
  bool submit(int reading) {
    const std::lock_guard guard(mutex_);
    if (closed_) return false;
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

  std::deque<int> take_rest() {
    const std::lock_guard guard(mutex_);
    return std::exchange(readings_, {});  // closing the queue here already would do it right
  }

  void close() {
    const std::lock_guard guard(mutex_);
    closed_ = true;
  }

 private:
  std::mutex mutex_;
  std::deque<int> readings_;
  bool closed_ = false;
};

class Server {
 public:
  void connect() {
    const std::lock_guard guard(mutex_);
    connected_ = true;
  }

  void log_in() {
    const std::lock_guard guard(mutex_);
    known_ = connected_;
  }

  void send(int reading) {
    const std::lock_guard guard(mutex_);
    require(known_, "the uploader has logged in");
    received_.push_back(reading);
  }

  void keep_alive() {
    const std::lock_guard guard(mutex_);
    ++keep_alives_;
  }

  void say_goodbye() {
    const std::lock_guard guard(mutex_);
    connected_ = false;
    known_ = false;
  }

  int received() {
    const std::lock_guard guard(mutex_);
    return static_cast<int>(received_.size());
  }

 private:
  std::mutex mutex_;
  std::vector<int> received_;
  int keep_alives_ = 0;
  bool connected_ = false;
  bool known_ = false;
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

constexpr int kRounds = 3;

static void upload(ReadingQueue& queue, Server& server, Notebook& notebook) {
  server.connect();
  server.log_in();
  for (int i = 0; i < kRounds; ++i) {
    if (const auto reading = queue.take()) {
      server.send(*reading);
    } else {
      server.keep_alive();
    }
    notebook.round();
  }
  for (const int reading : queue.take_rest()) server.send(reading);
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
