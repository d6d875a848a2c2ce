// Everybody who waits for a result gets the exception instead and reads its message; whoever lets go of it last
// destroys it, after all others have read.
//
// norn: pass
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::promise<int> promise;
  std::shared_future<int> result = promise.get_future();
  const auto wait = [](std::shared_future<int> of) {
    try {
      of.get();
    } catch (const std::runtime_error& error) {
      assert(std::string(error.what()) == "no such file");
    }
  };
  std::thread first(wait, result);
  std::thread second(wait, std::move(result));
  promise.set_exception(std::make_exception_ptr(std::runtime_error("no such file")));
  promise = {};
  first.join();
  second.join();
}
