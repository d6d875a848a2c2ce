// An exception that one thread throws and another one catches: whoever lets go of it last destroys it, after the other
// has read its message.
//
// norn: pass
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread worker([promise = std::move(promise)]() mutable {
    try {
      throw std::runtime_error("no such file");
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  });
  std::string message;
  try {
    future.get();
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  assert(message == "no such file");
  worker.join();
}
