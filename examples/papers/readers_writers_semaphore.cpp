// Readers and writers with semaphores, passing the baton: whoever has the mutex either gives it back or hands it on to
// one that waits, which then need not take it. Everybody reads or writes so many times.
//
// Arguments: readers (3), writers (2), times (1). By default it has 21,744 behaviours.
//
// norn: pass
#include <norn/semaphore.hpp>
#include <norn/symmetric.hpp>

#include <cassert>
#include <thread>
#include <vector>

#include "arguments.hpp"

class read_write_access {
 public:
  void start_read() {
    mutex_.P();
    if (writing_ > 0) {
      ++readers_waiting_;
      mutex_.V();
      readers_queue_.P();
    }
    assert(writing_ == 0);
    ++reading_;
    if (readers_waiting_ > 0) {
      --readers_waiting_;
      readers_queue_.V();
    } else {
      mutex_.V();
    }
  }

  void end_read() {
    mutex_.P();
    --reading_;
    if (reading_ == 0 && writers_waiting_ > 0) {
      --writers_waiting_;
      writers_queue_.V();
    } else {
      mutex_.V();
    }
  }

  void start_write() {
    mutex_.P();
    if (reading_ > 0 || writing_ > 0) {
      ++writers_waiting_;
      mutex_.V();
      writers_queue_.P();
    }
    assert(reading_ == 0 && writing_ == 0);
    ++writing_;
    mutex_.V();
  }

  void end_write() {
    mutex_.P();
    --writing_;
    if (readers_waiting_ > 0) {
      --readers_waiting_;
      readers_queue_.V();
    } else if (writers_waiting_ > 0) {
      --writers_waiting_;
      writers_queue_.V();
    } else {
      mutex_.V();
    }
  }

 private:
  norn::counting_semaphore mutex_{1};
  norn::counting_semaphore readers_queue_{0};
  norn::counting_semaphore writers_queue_{0};
  int reading_ = 0;
  int writing_ = 0;
  int readers_waiting_ = 0;
  int writers_waiting_ = 0;
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
