// A string buffer all of whose methods lock, so that it is "thread safe". append asks the other buffer for its length
// and then for that many characters; when the other buffer shrinks in between, the second question is out of range.
//
// norn: bug exception
// norn expects: copy beyond the end
#include <cassert>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

class StringBuffer {
 public:
  explicit StringBuffer(std::string text) : text_(std::move(text)) {}

  std::size_t length() const {
    std::lock_guard lock(mutex_);
    return text_.size();
  }

  std::string copy(std::size_t count) const {
    std::lock_guard lock(mutex_);
    if (count > text_.size()) throw std::out_of_range("copy beyond the end");
    return text_.substr(0, count);
  }

  void truncate(std::size_t count) {
    std::lock_guard lock(mutex_);
    if (count < text_.size()) text_.resize(count);
  }

  void append(const StringBuffer& other) {
    const std::size_t count = other.length();
    const std::string added = other.copy(count);
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
  message.append(name);
  editor.join();
  assert(message.length() == 9 || message.length() == 14);
}
