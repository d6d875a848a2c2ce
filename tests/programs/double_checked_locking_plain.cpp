// Double-checked locking as it does not work: the first look at the pointer is made without the lock, so a thread can
// see the pointer before it sees what it points to.
//
// norn: bug data-race
#include <memory>
#include <mutex>
#include <string>
#include <thread>

class Parser {
 public:
  explicit Parser(const char* grammar) : grammar_(grammar) {}
  std::size_t rules() const { return grammar_.size(); }

 private:
  std::string grammar_;
};

class Compiler {
 public:
  const Parser& parser() {
    if (!parser_) {
      std::lock_guard lock(mutex_);
      if (!parser_) parser_ = std::make_unique<Parser>("a long grammar, too long for a small string");
    }
    return *parser_;
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Parser> parser_;
};

int main() {
  Compiler compiler;
  std::size_t rules = 0;
  std::thread other([&] { rules = compiler.parser().rules(); });
  const std::size_t mine = compiler.parser().rules();
  other.join();
  return mine != rules;
}
