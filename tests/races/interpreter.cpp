// Runs one program of random accesses (see program.hpp). An ordinary program, compiled with norn-c++. Every operation
// of every thread has a line of its own, so that reports tell them apart.

#include <atomic>
#include <cstring>
#include <mutex>
#include <semaphore>
#include <thread>

#include "program.hpp"

namespace random_races {
namespace {

struct World {
  alignas(16) unsigned char memory[memory_size] = {};
  std::atomic<unsigned> atomics[object_count] = {};
  std::mutex mutexes[object_count];
  std::counting_semaphore<> semaphores[object_count] = {std::counting_semaphore<>(0), std::counting_semaphore<>(0)};
};

World world;

template <typename T>
T& at(unsigned offset) {
  return *reinterpret_cast<T*>(world.memory + offset);
}

constexpr std::memory_order orders[] = {std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_release,
                                        std::memory_order_acq_rel, std::memory_order_seq_cst};

struct Worker {
  unsigned thread;
  unsigned seen = 0;

  unsigned perform(unsigned index, const Operation& operation);
};

// All of an operation in the line that uses it. Sizes are powers of two for reads and writes.
// clang-format off
#define READ(type) { asm volatile("" : : "r"(at<type>(a))); }
#define WRITE(type) { at<type>(a) = type(thread); }
#define OF_SIZE(ACCESS) \
  if (b == 1) ACCESS(std::uint8_t) else if (b == 2) ACCESS(std::uint16_t) \
  else if (b == 4) ACCESS(std::uint32_t) else ACCESS(std::uint64_t)
#define OPERATION(t, i) \
  case t * max_operations + i: \
    switch (operation.verb) { \
      case 'r': OF_SIZE(READ) return 0; \
      case 'w': OF_SIZE(WRITE) return 0; \
      case 'c': std::memcpy(world.memory + a, world.memory + b, operation.numbers[2]); return 0; \
      case 'z': std::memset(world.memory + a, 0, b); return 0; \
      case 'g': asm volatile("" : : "r"(reinterpret_cast<unsigned&>(world.atomics[a]))); return 0; \
      case 'l': seen = world.atomics[a].load(orders[b]); return 0; \
      case 's': world.atomics[a].store(operation.numbers[2], orders[b]); return 0; \
      case 'a': seen = world.atomics[a].fetch_add(1, orders[b]); return 0; \
      case 'f': std::atomic_thread_fence(orders[a]); return 0; \
      case 'L': world.mutexes[a].lock(); return 0; \
      case 'U': world.mutexes[a].unlock(); return 0; \
      case 'P': world.semaphores[a].acquire(); return 0; \
      case 'V': world.semaphores[a].release(); return 0; \
      default: return seen == a ? 0 : b; \
    }
// clang-format on

/// How many operations to skip afterwards.
unsigned Worker::perform(unsigned index, const Operation& operation) {
  const unsigned a = operation.numbers[0];
  const unsigned b = operation.numbers[1];
  switch (thread * max_operations + index) {
    // clang-format off
#line 1000
    OPERATION(0, 0)
    OPERATION(0, 1)
    OPERATION(0, 2)
    OPERATION(0, 3)
    OPERATION(0, 4)
    OPERATION(0, 5)
    OPERATION(0, 6)
    OPERATION(0, 7)
    OPERATION(0, 8)
    OPERATION(0, 9)
    OPERATION(1, 0)
    OPERATION(1, 1)
    OPERATION(1, 2)
    OPERATION(1, 3)
    OPERATION(1, 4)
    OPERATION(1, 5)
    OPERATION(1, 6)
    OPERATION(1, 7)
    OPERATION(1, 8)
    OPERATION(1, 9)
    OPERATION(2, 0)
    OPERATION(2, 1)
    OPERATION(2, 2)
    OPERATION(2, 3)
    OPERATION(2, 4)
    OPERATION(2, 5)
    OPERATION(2, 6)
    OPERATION(2, 7)
    OPERATION(2, 8)
    OPERATION(2, 9)
    OPERATION(3, 0)
    OPERATION(3, 1)
    OPERATION(3, 2)
    OPERATION(3, 3)
    OPERATION(3, 4)
    OPERATION(3, 5)
    OPERATION(3, 6)
    OPERATION(3, 7)
    OPERATION(3, 8)
    OPERATION(3, 9)
    // clang-format on
  }
  return 0;
}

void run(const Program& program, unsigned thread) {
  Worker worker{thread};
  const auto& operations = program.threads[thread];
  for (unsigned i = 0; i < operations.size(); ++i) i += worker.perform(i, operations[i]);
}

const Program* program;

/// Before main, so that it is done once and not in every run.
[[gnu::constructor]] void read_program(int argc, char** argv) { program = new Program(parse(argc > 1 ? argv[1] : "")); }

}  // namespace
}  // namespace random_races

int main() {
  using namespace random_races;
  if (program->threads.empty()) return 2;
  std::vector<std::thread> threads;
  for (unsigned t = 1; t < program->threads.size(); ++t) threads.emplace_back([t] { run(*program, t); });
  run(*program, 0);
  for (std::thread& thread : threads) thread.join();
}
