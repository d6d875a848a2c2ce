// The string buffer whose append takes a copy of the other buffer under one lock.
//
// norn: pass
#include <cassert>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

class StringBuffer {
 public:
  explicit StringBuffer(std::string text) : text_(std::move(text)) {}

  std::string copy() const {
    std::lock_guard lock(mutex_);
    return text_;
  }

  void truncate(std::size_t count) {
    std::lock_guard lock(mutex_);
    if (count < text_.size()) text_.resize(count);
  }

  void append(const StringBuffer& other) {
    const std::string added = other.copy();
    std::lock_guard lock(mutex_);
    text_ += added;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

int main() {
  StringBuffer message("dear ");
  StringBuffer name("alexandra");
  std::thread editor([&] { name.truncate(4); });
  std::thread writer([&] { message.append(name); });
  name.append(message);
  editor.join();
  writer.join();
  assert(message.copy().starts_with("dear alex"));
  assert(name.copy().starts_with("alex"));
}
