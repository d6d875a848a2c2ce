// main() leaves others behind; the last of them ends the process, and its destructors see whose turn it was.
//
// norn: bug assertion
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> left{2};
static thread_local bool is_writer = false;

struct Log {
  ~Log() {
    left.load();
    assert(!is_writer);  // the writer should have been gone by now
  }
};

static Log last_words;

int main() {
  std::thread([] {
    is_writer = true;
    --left;
  }).detach();
  std::thread([] { --left; }).detach();
  pthread_exit(nullptr);
}
