#include "exec/leaks.hpp"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "exec/services.hpp"
#include "support/address.hpp"

namespace norn::exec {
namespace {

const BlockHeader& header(const void* block) { return *header_of(const_cast<void*>(block)); }

class Marking {
 public:
  explicit Marking(std::span<const Thread> threads) : threads_(threads) {}

  void scan(std::span<const std::byte> memory) {
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory.data()) + 7) & ~std::uintptr_t{7};
    const auto end = reinterpret_cast<std::uintptr_t>(memory.data() + memory.size());
    for (std::uintptr_t i = begin; i + 8 <= end; i += 8) visit(*reinterpret_cast<const std::uintptr_t*>(i));
  }

  /// Scans what has been reached, and what is reached from there.
  void finish() {
    while (!reached_.empty()) {
      const void* block = reached_.back();
      reached_.pop_back();
      scan({static_cast<const std::byte*>(block), header(block).size});
    }
  }

  void visit(std::uintptr_t word) {
    if (!in_arena(reinterpret_cast<const void*>(word))) return;
    const Thread* owner = Arena::owner_of(word, threads_);
    const void* block = owner == nullptr ? nullptr : owner->arena.block_at(word);
    if (block == nullptr || header(block).state == block_freed) return;
    if (word - reinterpret_cast<std::uintptr_t>(block) > header(block).size) return;
    if (marked_.insert(block).second) reached_.push_back(block);
  }

  [[nodiscard]] bool is_marked(const void* block) const { return marked_.contains(block); }

 private:
  std::span<const Thread> threads_;
  std::unordered_set<const void*> marked_;
  std::vector<const void*> reached_;
};

/// Scans the pages that have been used. The program may have protected some, or unmapped them: the system knows.
void scan_mapping(Marking& marking, std::span<std::byte> mapping) {
  constexpr std::size_t pages_at_a_time = 1024;
  unsigned char used[pages_at_a_time];
  alignas(8) std::byte copy[page_size];
  while (!mapping.empty()) {
    const std::span<std::byte> pages = mapping.first(std::min(mapping.size(), pages_at_a_time * page_size));
    mapping = mapping.subspan(pages.size());
    const bool is_known = mincore(pages.data(), pages.size(), used) == 0;
    for (std::size_t i = 0; i < pages.size(); i += page_size) {
      if (is_known && (used[i / page_size] & 1) == 0) continue;
      const iovec from{pages.data() + i, std::min(page_size, pages.size() - i)};
      const iovec to{copy, from.iov_len};
      const ssize_t read = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
      if (read > 0) marking.scan({copy, static_cast<std::size_t>(read)});
    }
  }
}

std::span<const std::byte> stack_from(const void* begin, const Thread& thread) {
  return {static_cast<const std::byte*>(begin), static_cast<const std::byte*>(thread.seat.stack_top)};
}

}  // namespace

std::vector<const void*> unreachable_blocks(std::span<const Thread> threads, const Snapshot& snapshot,
                                            const Thread& self, const void* stack) {
  Marking marking(threads);
  const auto scan = [&marking](std::span<const std::byte> memory) { marking.scan(memory); };
  snapshot.visit(scan);
  for (const std::span<std::byte> mapping : own_mappings()) scan_mapping(marking, mapping);
  for (const Thread& thread : threads) {
    if (thread.status == Status::unused) continue;
    marking.visit(number(thread.result));
    marking.visit(number(thread.program_argument));
    for (const char* block : thread.arena.blocks())
      if (header(block).state == block_of_norn) marking.visit(number(block));
    if (!thread.alive()) continue;
    snapshot.visit_thread_locals(thread, scan);
    for (unsigned i = 0; i < thread.keys_used; ++i) marking.visit(number(thread.keys[i]));
    marking.scan(stack_from(&thread == &self ? stack : thread.program_frame, thread));
  }
  marking.finish();
  std::vector<const void*> lost;
  for (const Thread& thread : threads)
    for (const char* block : thread.arena.blocks())
      if (header(block).state == block_in_use && !marking.is_marked(block)) lost.push_back(block);
  return lost;
}

}  // namespace norn::exec
