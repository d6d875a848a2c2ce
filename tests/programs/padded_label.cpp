// A label is padded with blanks, up to a width that its block does not have.
// norn: bug memory
#include <algorithm>
#include <cstddef>
#include <memory>
#include <thread>

constexpr std::size_t room = 20;
constexpr std::size_t width = 24;

int main() {
  const auto label = std::make_unique<char[]>(room);
  std::thread printer([&] { std::fill_n(label.get(), width, ' '); });
  printer.join();
}
