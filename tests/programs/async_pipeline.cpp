// A pipeline of asynchronous steps: each waits for the one before, and an exception of any comes out at the end.
//
// norn: pass
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>

static std::string read(bool fails) {
  if (fails) throw std::runtime_error("cannot read");
  return "17";
}

static int parse(std::future<std::string> text) { return std::stoi(text.get()); }

static int twice(std::future<int> number) { return 2 * number.get(); }

static std::future<int> pipeline(bool fails) {
  auto text = std::async(std::launch::async, read, fails);
  auto number = std::async(std::launch::async, parse, std::move(text));
  return std::async(std::launch::async, twice, std::move(number));
}

int main() {
  auto good = pipeline(false);
  assert(good.get() == 34);

  auto bad = pipeline(true);
  std::string message;
  try {
    bad.get();
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  assert(message == "cannot read");
}
