// An observer that is called while the list of observers is locked, and that removes itself from the list.
//
// norn: bug deadlock
// norn expects: which it has held itself since
#include <cassert>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

class Subject {
 public:
  using Observer = std::function<void(int)>;

  int add(Observer observer) {
    std::lock_guard lock(mutex_);
    observers_[++last_] = std::move(observer);
    return last_;
  }

  void remove(int id) {
    std::lock_guard lock(mutex_);
    observers_.erase(id);
  }

  void notify(int value) {
    std::lock_guard lock(mutex_);
    for (auto& [id, observer] : observers_) observer(value);
  }

 private:
  std::mutex mutex_;
  int last_ = 0;
  std::map<int, Observer> observers_;
};

int main() {
  Subject subject;
  int seen = 0;
  std::thread subscriber([&] {
    subject.add([&](int value) {
      seen = value;
      subject.remove(1);
    });
  });
  subject.notify(42);
  subscriber.join();
  assert(seen == 0 || seen == 42);
}
