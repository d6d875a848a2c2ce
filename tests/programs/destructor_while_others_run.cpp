// A detached thread that uses a global object after its destructor has begun to end it.
//
// norn: bug assertion
#include <atomic>
#include <cassert>
#include <thread>

struct Service {
  std::atomic<bool> running{true};
  ~Service() { running = false; }
};

static Service service;

int main() {
  std::thread([] { assert(service.running); }).detach();
}
