// Two threads take memory from one arena. It keeps its books inside the C++ library.
//
// norn: bug data-race
#include <memory_resource>
#include <thread>
#include <vector>

int main() {
  std::pmr::monotonic_buffer_resource arena(1024);
  const auto work = [](std::pmr::memory_resource* memory) {
    std::pmr::vector<int> numbers(memory);
    numbers.push_back(1);
  };
  std::thread worker(work, &arena);
  work(&arena);
  worker.join();
}
