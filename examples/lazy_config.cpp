// Settings that are read at first use, by whichever thread comes first. std::call_once sees to it that they are read
// once and that every thread sees them complete.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Settings {
 public:
  int get(const std::string& name) {
    std::call_once(once_, [this] { load(); });
    return values_->at(name);
  }
  int loads() const { return loads_; }

 private:
  void load() {
    ++loads_;
    values_ = std::make_unique<std::map<std::string, int>>();
    values_->emplace("port", 8080);
    values_->emplace("workers", 3);
  }

  std::once_flag once_;
  std::unique_ptr<std::map<std::string, int>> values_;
  std::atomic<int> loads_{0};
};

int main() {
  Settings settings;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { assert(settings.get("port") == 8080); });
  for (auto& thread : threads) thread.join();
  assert(settings.get("workers") == 3);
  assert(settings.loads() == 1);
}
