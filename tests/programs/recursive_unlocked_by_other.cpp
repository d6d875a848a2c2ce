// A cache whose refresh is begun by one call, which leaves the lock held, and finished by another, which gives it back.
// A helper thread finishes a refresh that it has not begun.
// norn: bug misuse
// norn expects: unlocks a recursive mutex that it does not hold
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace {

class Cache {
 public:
  int get(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return values_[key];
  }

  void begin_refresh() { mutex_.lock(); }

  void finish_refresh() {
    const std::lock_guard lock(mutex_);
    values_["answer"] = 42;
    mutex_.unlock();
  }

 private:
  std::recursive_mutex mutex_;
  std::map<std::string, int> values_;
};

}  // namespace

int main() {
  Cache cache;
  cache.begin_refresh();
  cache.finish_refresh();
  std::thread reader([&cache] { cache.get("answer"); });
  std::thread helper([&cache] { cache.finish_refresh(); });
  reader.join();
  helper.join();
}
