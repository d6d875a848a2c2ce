// Reference counting with a relaxed decrement: the count is right, but nothing orders one thread's last look at the
// image before the other thread's freeing it.
//
// norn: bug data-race
#include <atomic>
#include <thread>

class Image {
 public:
  explicit Image(int users) : references_(users) {}

  void paint(int side, int color) { colors_[side] = color; }

  void release() {
    if (references_.fetch_sub(1, std::memory_order_relaxed) == 1) delete this;
  }

 private:
  ~Image() { colors_[0] = colors_[1] = 0; }

  std::atomic<int> references_;
  int colors_[2] = {0, 0};
};

int main() {
  Image* image = new Image(2);
  std::thread other([image] {
    image->paint(0, 17);
    image->release();
  });
  image->paint(1, 23);
  image->release();
  other.join();
}
