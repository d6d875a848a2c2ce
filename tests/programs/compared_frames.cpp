// Two threads share a frame without a lock: one replaces it, the other one looks whether it has changed.
// norn: bug data-race
#include <array>
#include <thread>

using Frame = std::array<unsigned char, 24>;

Frame current{};

int main() {
  std::thread camera([] { current.fill(1); });
  const Frame known{};
  const bool has_changed = current != known;
  camera.join();
  return has_changed && current == known;
}
