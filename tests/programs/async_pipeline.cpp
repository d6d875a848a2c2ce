// A pipeline of asynchronous steps: each waits for the value of the one before, and an exception of any comes out at
// the end.
//
// norn: pass
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>

static std::string load() { return "seventeen"; }

static int parse(std::future<std::string> text) {
  const std::string digits = text.get();
  if (digits.find_first_not_of("0123456789") != std::string::npos) throw std::invalid_argument(digits);
  return std::stoi(digits);
}

static std::future<int> pipeline() {
  auto text = std::async(std::launch::async, load);
  return std::async(std::launch::async, parse, std::move(text));
}

int main() {
  std::string message;
  try {
    pipeline().get();
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  assert(message == "seventeen");
}
