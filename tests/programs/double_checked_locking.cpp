// Double-checked locking as it works: the pointer is atomic, stored with release when the object is complete and loaded
// with acquire before it is used.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

class Parser {
 public:
  explicit Parser(const char* grammar) : grammar_(grammar) { ++built; }
  std::size_t rules() const { return grammar_.size(); }
  static int built;

 private:
  std::string grammar_;
};

int Parser::built = 0;

class Compiler {
 public:
  ~Compiler() { delete parser_.load(); }

  const Parser& parser() {
    Parser* parser = parser_.load(std::memory_order_acquire);
    if (parser == nullptr) {
      std::lock_guard lock(mutex_);
      parser = parser_.load(std::memory_order_relaxed);
      if (parser == nullptr) {
        parser = new Parser("a long grammar, too long for a small string");
        parser_.store(parser, std::memory_order_release);
      }
    }
    return *parser;
  }

 private:
  std::mutex mutex_;
  std::atomic<Parser*> parser_{nullptr};
};

int main() {
  Compiler compiler;
  std::thread first([&] { assert(compiler.parser().rules() == 43); });
  std::thread second([&] { assert(compiler.parser().rules() == 43); });
  assert(compiler.parser().rules() == 43);
  first.join();
  second.join();
  assert(Parser::built == 1);
}
