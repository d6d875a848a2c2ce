// Readers and writers with a monitor, signal-and-continue: readers that have been signalled and have not entered again
// yet are counted, so that no writer gets in before them. Everybody reads or writes so many times.
//
// Arguments: readers (3), writers (2), times (1). By default it has 61,716 behaviours.
//
// norn: pass
#include <norn/monitor.hpp>
#include <norn/symmetric.hpp>

#include <cassert>
#include <cstddef>
#include <thread>
#include <vector>

#include "arguments.hpp"

class read_write_access : norn::sc_monitor {
 public:
  void start_read() {
    const auto inside = enter();
    if (writing_) {
      readers_.wait();
      --signalled_readers_;
    }
    assert(!writing_);
    ++reading_;
  }

  void end_read() {
    const auto inside = enter();
    --reading_;
    if (reading_ == 0 && signalled_readers_ == 0) writers_.signal();
  }

  void start_write() {
    const auto inside = enter();
    while (reading_ > 0 || writing_ || !readers_.empty() || signalled_readers_ > 0) writers_.wait();
    writing_ = true;
  }

  void end_write() {
    const auto inside = enter();
    assert(writing_ && reading_ == 0);
    writing_ = false;
    if (!readers_.empty()) {
      signalled_readers_ = readers_.length();
      readers_.signal_all();
    } else {
      writers_.signal();
    }
  }

 private:
  condition readers_{*this};
  condition writers_{*this};
  int reading_ = 0;
  bool writing_ = false;
  std::size_t signalled_readers_ = 0;
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
