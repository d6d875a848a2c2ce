// A worker whose result becomes ready when it ends. What it still does after setting the result, and what its
// thread_local variables do as they are destroyed, comes before.
//
// norn: pass
#include <cassert>
#include <chrono>
#include <future>
#include <string>
#include <thread>

std::string words;

struct Farewell {
  ~Farewell() { words += "farewell"; }
};

int main() {
  std::promise<std::string> promise;
  std::future<std::string> result = promise.get_future();
  std::packaged_task<int()> task([] { return 7; });
  std::future<int> other_result = task.get_future();
  std::thread worker([&] {
    thread_local Farewell farewell;
    (void)farewell;
    promise.set_value_at_thread_exit("done");
    task.make_ready_at_thread_exit();
    words = "and ";
  });
  if (result.wait_for(std::chrono::seconds(0)) == std::future_status::ready) assert(words == "and farewell");
  assert(result.get() == "done" && words == "and farewell");
  assert(other_result.get() == 7);
  worker.join();
}
