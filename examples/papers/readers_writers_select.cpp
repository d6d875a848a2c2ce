// Readers and writers with a server that decides who may start, by a selective wait: readers while nobody writes, a
// writer while nobody reads or writes. Everybody reads or writes so many times.
//
// Arguments: readers (3), writers (2), times (1). By default it has 768 behaviours.
//
// norn: pass
#include <norn/entry.hpp>
#include <norn/select.hpp>
#include <norn/symmetric.hpp>

#include <cassert>
#include <thread>
#include <vector>

#include "arguments.hpp"

int main(int argc, char** argv) {
  arguments given(argc, argv);
  const int readers = given.size("readers", 3);
  const int writers = given.size("writers", 2);
  const int times = given.size("times", 1);
  given.end();

  norn::entry<> start_read, end_read, start_write, end_write;
  int writes = 0;  // a reader or a writer beside a writer would be a data race

  std::vector<std::thread> threads;
  for (int reader = 0; reader < readers; ++reader)
    threads.emplace_back([&] {
      norn::symmetric("reader");
      for (int i = 0; i < times; ++i) {
        start_read.call();
        assert(writes <= writers * times);
        end_read.call();
      }
    });
  for (int writer = 0; writer < writers; ++writer)
    threads.emplace_back([&] {
      norn::symmetric("writer");
      for (int i = 0; i < times; ++i) {
        start_write.call();
        ++writes;
        end_write.call();
      }
    });
  threads.emplace_back([&] {
    int reading = 0;
    bool writing = false;
    for (int calls = 2 * (readers + writers) * times; calls != 0; --calls) {
      norn::select(norn::when(!writing, start_read, [&] { ++reading; }),  //
                   norn::on(end_read, [&] { --reading; }),
                   norn::when(!writing && reading == 0, start_write, [&] { writing = true; }),
                   norn::on(end_write, [&] { writing = false; }));
      assert(reading >= 0 && (!writing || reading == 0));
    }
  });
  for (std::thread& thread : threads) thread.join();

  assert(writes == writers * times);
}
