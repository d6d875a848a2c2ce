#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace norn {

/// For large tables that grow: what they leave behind goes back to the system. Nearly every look-up in such a table is
/// in another place, and finding a small page takes as long as fetching from it, so the system is asked for large ones.
template <typename T>
struct MappedAllocator {
  using value_type = T;

  MappedAllocator() = default;
  template <typename Other>
  explicit MappedAllocator(const MappedAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    const std::size_t size = count * sizeof(T);
    if (size < least) return static_cast<T*>(::operator new(size));
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, size, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < least) return ::operator delete(memory);
    munmap(memory, count * sizeof(T));
  }
  friend bool operator==(const MappedAllocator&, const MappedAllocator&) { return true; }

 private:
  static constexpr std::size_t least = std::size_t{1} << 20;
};

}  // namespace norn
