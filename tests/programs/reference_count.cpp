// An image that several threads share by counting references: the decrement is acquire and release, so that whoever
// frees the image sees all that the others did to it.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

static std::atomic<int> alive{0};

class Image {
 public:
  Image() { ++alive; }
  ~Image() {
    assert(left_ == 1 && right_ == 2);
    --alive;
  }

  void paint_left() { left_ = 1; }
  void paint_right() { right_ = 2; }

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  std::atomic<int> references_{1};
  int left_ = 0;
  int right_ = 0;
};

class ImageHandle {
 public:
  ImageHandle() : image_(new Image) {}
  ImageHandle(const ImageHandle& other) : image_(other.image_) { image_->retain(); }
  ImageHandle(ImageHandle&& other) noexcept : image_(std::exchange(other.image_, nullptr)) {}
  ImageHandle& operator=(ImageHandle) = delete;
  ~ImageHandle() {
    if (image_ != nullptr) image_->release();
  }
  Image* operator->() const { return image_; }

 private:
  Image* image_;
};

int main() {
  std::thread left, right;
  {
    ImageHandle image;
    left = std::thread([copy = image] { copy->paint_left(); });
    right = std::thread([copy = image] { copy->paint_right(); });
  }
  left.join();
  right.join();
  assert(alive == 0);
}
