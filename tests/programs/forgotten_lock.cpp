// A lock that was on the stack of a function that has returned: nobody can give it back.
//
// norn: bug misuse
#include <mutex>
#include <thread>

void work() {
  std::mutex mutex;
  mutex.lock();
}

int main() { std::thread(work).join(); }
