// Arenas and pools as threads may use them: one each, one after the other, and one with a lock. Blocks have the size
// and the alignment that was asked for, however full the arena is.
//
// norn: pass
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::mutex mutex;

void use(std::pmr::memory_resource& memory) {
  std::pmr::vector<std::pmr::string> lines(&memory);
  for (std::size_t i = 0; i < 20; ++i) lines.emplace_back(10 * i, static_cast<char>('a' + i));
  for (std::size_t i = 0; i < 20; ++i) assert(lines[i].size() == 10 * i && (i == 0 || lines[i].back() == 'a' + i));
}

void use_arena(std::pmr::monotonic_buffer_resource& arena) {
  use(arena);
  for (std::size_t alignment = 1; alignment <= 256; alignment *= 2) {
    char* block = static_cast<char*>(arena.allocate(24, alignment));
    assert(reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
    std::memset(block, 1, 24);
    char* next = static_cast<char*>(arena.allocate(0, 1));
    assert(next < block || next >= block + 24);
    assert(next != arena.allocate(0, 1));
  }
}

void use_own() {
  std::pmr::monotonic_buffer_resource arena(64);
  use_arena(arena);
  std::pmr::unsynchronized_pool_resource pool(&arena);
  use(pool);
}

int main() {
  char buffer[128];
  std::pmr::monotonic_buffer_resource handed_over(buffer, sizeof buffer);
  std::pmr::monotonic_buffer_resource locked;
  assert(handed_over == handed_over && !(handed_over == locked));
  std::thread worker([&] {
    use_own();
    use_arena(handed_over);
    const std::lock_guard lock(mutex);
    use_arena(locked);
  });
  use_own();
  {
    const std::lock_guard lock(mutex);
    use_arena(locked);
  }
  worker.join();
  use_arena(handed_over);
  handed_over.release();
  assert(handed_over.allocate(1, 1) == buffer);
}
