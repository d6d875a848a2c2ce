// Somebody frees all seats while another one looks whether one is taken: std::bitset clears them at once.
// norn: bug data-race
#include <bitset>
#include <thread>

std::bitset<192> taken;

int main() {
  taken.set(70);
  std::thread evening([] { taken.reset(); });
  const bool has_seat = taken.test(70);
  evening.join();
  return has_seat && taken.any();
}
