// Two threads that each set how wide the next number is printed.
//
// norn: bug data-race
// norn expects: std::cout
#include <iostream>
#include <thread>

int main() {
  std::thread table([] { std::cout.width(8); });
  std::cout.width(4);
  table.join();
}
