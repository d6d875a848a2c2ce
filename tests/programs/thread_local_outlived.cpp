// A worker hands out a pointer to its own counter, and main looks at that when the worker is gone.
//
// norn: bug memory
// norn expects: thread-local finished of main/1
#include <cassert>
#include <thread>

thread_local int finished;
int* last_finished;

int main() {
  std::thread worker([] {
    finished = 3;
    last_finished = &finished;
  });
  worker.join();
  assert(*last_finished == 3);
}
