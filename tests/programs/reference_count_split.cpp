// Reference counting that decrements in one step and looks at the result in another: when two threads drop the last two
// references, both find the count at zero, and the image is freed twice.
//
// norn: bug memory data-race
#include <atomic>
#include <cassert>
#include <thread>

class Image {
 public:
  explicit Image(int users) : references_(users) {}

  void paint() { strokes_++; }

  void release() {
    references_--;
    if (references_ == 0) delete this;
  }

 private:
  std::atomic<int> references_;
  std::atomic<int> strokes_{0};
};

int main() {
  Image* image = new Image(2);
  std::thread other([image] {
    image->paint();
    image->release();
  });
  image->paint();
  image->release();
  other.join();
}
