// Two threads give back and take memory of one pool, which is not made for that.
//
// norn: bug data-race
#include <memory_resource>
#include <thread>

void use(std::pmr::memory_resource& memory) {
  void* block = memory.allocate(16);
  memory.deallocate(block, 16);
}

int main() {
  std::pmr::unsynchronized_pool_resource pool;
  std::thread worker([&] { use(pool); });
  use(pool);
  worker.join();
}
