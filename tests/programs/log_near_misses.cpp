// Streams as threads may use them: one each, one after the other, one with a lock, those with a buffer that has a lock
// of its own, and the standard ones, which any thread may write to at any time.
//
// norn: pass
#include <cassert>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::mutex mutex;
std::ostringstream shared;

class LockedBuffer : public std::stringbuf {
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::lock_guard lock(mutex);
    return std::stringbuf::xsputn(text, size);
  }
};

LockedBuffer locked_buffer;

std::string greet(const std::string& name, int number) {
  std::ostringstream own;
  own << name << ' ' << number << std::hex << true << 2.5 << '\n';
  own.write("ok", 2);
  std::cout << name << number << std::endl;
  std::clog << name << '\n';
  std::ostream(&locked_buffer) << "any";
  const std::lock_guard lock(mutex);
  shared << own.str();
  return own.str();
}

int main() {
  std::ostringstream handed_over;
  handed_over << "first, ";
  std::string greeting;
  std::thread worker([&] {
    handed_over << "then, ";
    greeting = greet("worker", 1);
  });
  const std::string own = greet("main", 2);
  worker.join();
  handed_over << "last";
  assert(locked_buffer.str() == "anyany");
  assert(handed_over.str() == "first, then, last");
  assert(shared.str() == own + greeting || shared.str() == greeting + own);
}
