// Threads have names of their own, which those that they create begin with.
//
// norn: pass
#include <pthread.h>
#include <sys/prctl.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

namespace {

std::string name_of(pthread_t thread) {
  char name[16];
  assert(pthread_getname_np(thread, name, sizeof name) == 0);
  return name;
}

std::string own_name() { return name_of(pthread_self()); }

std::atomic<int> named = 0;  // so that there is more than one run

void be(const char* name) {
  prctl(PR_SET_NAME, name);
  ++named;
  std::thread([name] { assert(own_name() == std::string(name).substr(0, 15)); }).join();
}

}  // namespace

int main() {
  const std::string first = own_name();
  assert(first != "main thread");  // so it would be if a run left its name behind
  std::thread reader(be, "reader");
  std::thread writer(be, "writer with a long name");
  assert(pthread_setname_np(pthread_self(), "main thread, too long") == ERANGE);
  assert(own_name() == first);
  assert(pthread_setname_np(pthread_self(), "main thread") == 0);
  reader.join();
  writer.join();
  char name[16];
  prctl(PR_GET_NAME, name);
  assert(std::strcmp(name, "main thread") == 0);
}
