// Main lends its own counter to a worker, and goes on counting.
//
// norn: bug data-race
// norn expects: thread-local total of main
#include <thread>

thread_local long total;

int main() {
  std::thread worker([lent = &total] { *lent += 10; });
  ++total;
  worker.join();
}
