// A worker that nobody joins: it says when it is done, and main may end while the worker is still on its way out.
//
// norn: pass
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

class Task {
 public:
  void finish(std::string result) {
    std::lock_guard lock(mutex_);
    result_ = std::move(result);
    finished_ = true;
    changed_.notify_all();
  }

  std::string wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return finished_; });
    return result_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool finished_ = false;
  std::string result_;
};

int main() {
  auto task = std::make_shared<Task>();
  std::thread([task] { task->finish("a result that does not fit into a small string"); }).detach();
  assert(task->wait().starts_with("a result"));
}
