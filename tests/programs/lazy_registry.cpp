// A registry that comes into being at its first use, as a static variable of a function: the language sees to it that
// one thread constructs it and the others wait.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  int number_of(const std::string& name) {
    std::lock_guard lock(mutex_);
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) return found->second;
    const int number = static_cast<int>(numbers_.size());
    numbers_[name] = number;
    return number;
  }

  static int constructed() { return constructed_; }

 private:
  Registry() {
    ++constructed_;
    numbers_["root"] = 0;
  }

  std::mutex mutex_;
  std::map<std::string, int> numbers_;
  static std::atomic<int> constructed_;
};

std::atomic<int> Registry::constructed_{0};

int main() {
  int mine = 0, theirs = 0;
  std::thread other([&] { theirs = Registry::instance().number_of("disk"); });
  mine = Registry::instance().number_of("network");
  other.join();
  assert(Registry::constructed() == 1);
  assert(mine + theirs == 3 && mine != theirs);
  assert(Registry::instance().number_of("root") == 0);
}
