#include "exec/process_heap.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <string_view>

#include "exec/arena.hpp"
#include "exec/real.hpp"

namespace norn::exec {
namespace {

/// A heap with power-of-two size classes at a fixed place. Its own state lies at the beginning of its memory.
class FixedHeap {
 public:
  constexpr FixedHeap(std::uintptr_t begin, std::size_t size) : begin_(begin), size_(size) {}

  void* allocate(std::size_t size, std::size_t alignment) {
    const std::lock_guard lock(*this);
    // A block of a class is as long as the class says, so any freed one fits; over-aligned blocks are longer.
    const std::size_t rounded = std::bit_ceil(size < 16 ? 16 : size);
    void*& head = state().free[std::bit_width(rounded)];
    if (head != nullptr && alignment <= 16) {
      void* block = head;
      std::memcpy(&head, block, sizeof head);
      *header_of(block) = {size, block_in_use, 0};
      return block;
    }
    auto place = (state().next + sizeof(BlockHeader) + alignment - 1) & ~(alignment - 1);
    if (rounded > size_ || place + rounded > begin_ + size_) return nullptr;
    state().next = place + rounded;
    void* block = reinterpret_cast<void*>(place);
    *header_of(block) = {size, block_in_use, 0};
    return block;
  }

  void free(void* block) {
    BlockHeader& header = *header_of(block);
    if (header.state != block_in_use) return;
    const std::lock_guard lock(*this);
    header.state = block_freed;
    const std::size_t rounded = std::bit_ceil(header.size < 16 ? std::size_t{16} : header.size);
    void*& head = state().free[std::bit_width(rounded)];
    std::memcpy(block, &head, sizeof head);
    head = block;
  }

  [[nodiscard]] bool contains(const void* pointer) const {
    return reinterpret_cast<std::uintptr_t>(pointer) - begin_ < size_;
  }

  /// Looks for the header of a block before the address, which is near unless the block is large.
  const void* block_at(std::uintptr_t address) {
    constexpr std::uintptr_t farthest = 1 << 20;
    if (!contains(reinterpret_cast<void*>(address)) || address >= state().next) return nullptr;
    const std::uintptr_t first = begin_ + sizeof(State) + sizeof(BlockHeader);
    std::uintptr_t block = address & ~std::uintptr_t{15};
    for (; block >= first && address - block <= farthest; block -= 16) {
      const BlockHeader& header = *header_of(reinterpret_cast<void*>(block));
      if (header.state != block_in_use && header.state != block_freed) continue;
      return address - block < header.size ? reinterpret_cast<void*>(block) : nullptr;
    }
    return nullptr;
  }

  std::span<std::byte> memory() {
    const std::size_t used = (state().next - begin_ + 4095) & ~std::size_t{4095};
    return {reinterpret_cast<std::byte*>(begin_), used};
  }

  void lock() {
    while (state().lock.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() { state().lock.clear(std::memory_order_release); }

 private:
  struct State {
    std::atomic_flag lock;
    std::uintptr_t next;
    void* free[65];
  };

  /// Mapped by whoever comes first, which is the loader, before any thread exists.
  State& state() {
    auto* state = reinterpret_cast<State*>(begin_);
    if (mapped_) return *state;
    void* memory = mmap(state, size_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != state) {
      constexpr std::string_view sentence =
          "norn: cannot reserve addresses for a heap (is there a limit, ulimit -v?)\n";
      static_cast<void>(!write(STDERR_FILENO, sentence.data(), sentence.size()));
      _exit(4);
    }
    mapped_ = true;
    state->next = begin_ + sizeof(State);
    return *state;
  }

  std::uintptr_t begin_;
  std::size_t size_;
  bool mapped_ = false;
};

constexpr std::size_t heap_size = std::size_t{1} << 36;

FixedHeap& process_heap() {
  static constinit FixedHeap heap(0x2f0000000000, heap_size);
  return heap;
}

FixedHeap& norn_heap() {
  static constinit FixedHeap heap(0x2e0000000000, heap_size);
  return heap;
}

}  // namespace

void* process_allocate(std::size_t size, std::size_t alignment) {
  return process_heap().allocate(size, alignment < 16 ? 16 : alignment);
}
void process_free(void* block) { process_heap().free(block); }
bool in_process_heap(const void* pointer) { return process_heap().contains(pointer); }
const void* process_block_at(std::uintptr_t address) { return process_heap().block_at(address); }
std::span<std::byte> process_heap_memory() { return process_heap().memory(); }

void* norn_allocate(std::size_t size, std::size_t alignment) {
  return norn_heap().allocate(size, alignment < 16 ? 16 : alignment);
}
void norn_free(void* block) { norn_heap().free(block); }
void unlock_norn_heap() { norn_heap().unlock(); }
bool in_norn_heap(const void* pointer) { return norn_heap().contains(pointer); }

pid_t fork_norn() {
  const auto real_fork = NORN_REAL(_Fork);  // found before the heap is locked: whoever looks for it may allocate
  const pid_t parent = getpid();
  const std::lock_guard lock(norn_heap());
  const pid_t child = real_fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) NORN_REAL(_exit)(1);  // it ended before anybody could be told of it
  return child;
}

}  // namespace norn::exec

// Norn's own operator new. The library hides these, so the program keeps its own.

void* operator new(std::size_t size) {
  if (void* block = norn::exec::norn_allocate(size)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  if (void* block = norn::exec::norn_allocate(size, static_cast<std::size_t>(alignment))) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept {
  if (block != nullptr) norn::exec::norn_free(block);
}
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
void operator delete(void* block, std::align_val_t) noexcept { operator delete(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { operator delete(block); }
