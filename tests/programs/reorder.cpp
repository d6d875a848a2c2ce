// A pair of values that belong together and are written one after the other: a reader in between sees one new and one
// old value. The order in which it reads them does not save it.
//
// norn: bug assertion
// norn expects: position.consistent()
#include <atomic>
#include <cassert>
#include <thread>

class Position {
 public:
  void move_to_mirror() {
    x_ = 1;
    y_ = -1;
  }

  bool consistent() const {
    const int y = y_;
    const int x = x_;
    return (x == 0 && y == 0) || (x == 1 && y == -1);
  }

 private:
  std::atomic<int> x_{0};
  std::atomic<int> y_{0};
};

int main() {
  Position position;
  std::thread setter([&] { position.move_to_mirror(); });
  std::thread other_setter([&] { position.move_to_mirror(); });
  std::thread checker([&] { assert(position.consistent()); });
  setter.join();
  other_setter.join();
  checker.join();
}
