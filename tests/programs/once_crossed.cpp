// Two tables that are filled when somebody needs them first, and each needs the other.
//
// norn: bug deadlock
// norn expects: runs the initialisation guarded by
#include <mutex>
#include <thread>

std::once_flag colours_filled, names_filled;

void fill_colours() {
  std::call_once(colours_filled, [] { std::call_once(names_filled, [] {}); });
}

void fill_names() {
  std::call_once(names_filled, [] { std::call_once(colours_filled, [] {}); });
}

int main() {
  std::thread painter(fill_colours);
  std::thread writer(fill_names);
  painter.join();
  writer.join();
}
