// A worker that says something after its result is ready, which is too late for who waits for the result only.
//
// norn: bug data-race
#include <future>
#include <string>
#include <thread>

std::string words;

int main() {
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread worker([&] {
    promise.set_value(7);
    words = "farewell";
  });
  result.wait();
  const std::size_t heard = words.size();
  worker.join();
  return heard > 8;
}
