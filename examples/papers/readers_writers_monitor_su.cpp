// Readers and writers with a monitor, signal-and-urgent-wait: a reader that may start lets the next one in. Everybody
// reads or writes so many times.
//
// Arguments: readers (3), writers (2), times (1). By default it has 13,320 behaviours.
//
// norn: pass
#include <norn/monitor.hpp>
#include <norn/symmetric.hpp>

#include <cassert>
#include <thread>
#include <vector>

#include "arguments.hpp"

class read_write_access : norn::su_monitor {
 public:
  void start_read() {
    const auto inside = enter();
    if (writing_) readers_.wait();
    assert(!writing_);
    ++reading_;
    readers_.signal_and_exit();
  }

  void end_read() {
    const auto inside = enter();
    --reading_;
    if (reading_ == 0) writers_.signal_and_exit();
  }

  void start_write() {
    const auto inside = enter();
    if (writing_ || reading_ > 0) writers_.wait();
    assert(!writing_ && reading_ == 0);
    writing_ = true;
  }

  void end_write() {
    const auto inside = enter();
    writing_ = false;
    if (!readers_.empty()) {
      readers_.signal_and_exit();
    } else {
      writers_.signal_and_exit();
    }
  }

 private:
  condition readers_{*this};
  condition writers_{*this};
  int reading_ = 0;
  bool writing_ = false;
};

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const int readers = given.size("readers", 3);
  const int writers = given.size("writers", 2);
  const int times = given.size("times", 1);
  given.end();

  read_write_access access;
  int writes = 0;  // a reader or a writer beside a writer would be a data race

  std::vector<std::thread> threads;
  for (int reader = 0; reader < readers; ++reader)
    threads.emplace_back([&] {
      norn::symmetric("reader");
      for (int i = 0; i < times; ++i) {
        access.start_read();
        assert(writes <= writers * times);
        access.end_read();
      }
    });
  for (int writer = 0; writer < writers; ++writer)
    threads.emplace_back([&] {
      norn::symmetric("writer");
      for (int i = 0; i < times; ++i) {
        access.start_write();
        ++writes;
        access.end_write();
      }
    });
  for (std::thread& thread : threads) thread.join();

  assert(writes == writers * times);
}
