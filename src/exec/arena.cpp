#include "exec/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/fatal.hpp"

namespace norn::exec {
namespace {

constexpr std::size_t cheaper_to_clear = std::size_t{256} << 10;

std::size_t size_class(std::size_t size) { return static_cast<std::size_t>(std::bit_width(size)); }

char* align_up(char* pointer, std::size_t alignment) {
  const auto bits = reinterpret_cast<std::uintptr_t>(pointer);
  return reinterpret_cast<char*>((bits + alignment - 1) & ~(alignment - 1));
}

}  // namespace

void Arena::reserve(unsigned index) {
  index_ = index;
  void* wanted = reinterpret_cast<void*>(region_begin + index * region_size);
  void* got = mmap(wanted, region_size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != wanted) fatal("cannot reserve address space for the heap of a thread (is `ulimit -v` set?)");
  begin_ = next_ = static_cast<char*>(got);
}

void Arena::release() { munmap(begin_, region_size); }

void* Arena::allocate(std::size_t size, std::size_t alignment, std::size_t limit) {
  if (recycles_)
    if (void* block = reuse(size, alignment)) return block;
  char* block = align_up(next_ + sizeof(BlockHeader), alignment < 16 ? 16 : alignment);
  const std::size_t needed = static_cast<std::size_t>(block - begin_);
  if (size > limit || needed > limit - size) return nullptr;
  next_ = block + ((size + 15) & ~std::size_t{15});
  *header_of(block) = {size, block_in_use, index_};
  blocks_.push_back(block);
  return block;
}

void Arena::recycle(void* block) {
  if (used() < quarantine) return;
  recycles_ = true;
  const std::size_t size = header_of(block)->size;
  if (size < sizeof(void*)) return;
  void*& head = free_[size_class(size)];
  std::memcpy(block, &head, sizeof head);
  head = block;
}

void* Arena::reuse(std::size_t size, std::size_t alignment) {
  // Every block one class up is large enough.
  void*& head = free_[size_class(size) + 1];
  if (head == nullptr || alignment > 16) return nullptr;
  void* block = head;
  std::memcpy(&head, block, sizeof head);
  std::memset(block, 0, size);
  header_of(block)->state = block_in_use;
  return block;
}

const void* Arena::block_at(std::uintptr_t address) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), reinterpret_cast<char*>(address));
  return after == blocks_.begin() ? nullptr : *(after - 1);
}

const void* Arena::block_after(std::uintptr_t address) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), reinterpret_cast<char*>(address));
  return after == blocks_.end() ? nullptr : *after;
}

void Arena::reset() {
  if (used() != 0) go_back({0, 0});
}

void Arena::go_back(const Mark& mark) {
  clear_from(mark.used);
  blocks_.resize(mark.blocks);
  if (recycles_) std::memset(free_, 0, sizeof free_);
  recycles_ = false;
  next_ = begin_ + mark.used;
}

/// To the end of what is in use.
void Arena::clear_from(std::size_t offset) {
  constexpr std::size_t page_size = 4096;
  char* const first = begin_ + offset;
  if (next_ <= first) return;
  const auto size = static_cast<std::size_t>(next_ - first);
  if (size <= cheaper_to_clear) {
    std::memset(first, 0, size);
    return;
  }
  char* const page = align_up(first, page_size);
  std::memset(first, 0, static_cast<std::size_t>(page - first));
  madvise(page, static_cast<std::size_t>(next_ - page), MADV_DONTNEED);
}

}  // namespace norn::exec
