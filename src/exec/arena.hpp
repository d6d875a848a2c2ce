#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "support/options.hpp"

namespace norn::exec {

/// What stands in front of every block, so that realloc knows its size and free can tell nonsense.
struct BlockHeader {
  std::uint64_t size;
  std::uint32_t state;
  std::uint32_t owner;
};
static_assert(sizeof(BlockHeader) == 16);

inline constexpr std::uint32_t block_in_use = 0xa110ca7e;
inline constexpr std::uint32_t block_freed = 0xf4eedf4e;

/// Memory that Norn itself needs in the program's heap: nobody frees it.
inline constexpr std::uint32_t block_of_norn = 0x0a0a0a0a;

inline BlockHeader* header_of(void* block) { return static_cast<BlockHeader*>(block) - 1; }

/// The heap of one virtual thread: blocks are carved off one after the other at fixed addresses, so an object
/// has the same address in every run in which its thread did the same things. What is freed stays unused for
/// the rest of the run, until the arena has grown beyond its quarantine.
class Arena {
 public:
  static constexpr std::uintptr_t region_begin = 0x300000000000;
  static constexpr std::uintptr_t region_size = std::uintptr_t{1} << 34;
  static constexpr std::size_t quarantine = std::size_t{64} << 20;
  static constexpr std::size_t size_classes = 48;

  void reserve(unsigned index);
  void release();
  /// nullptr when the block would take the arena beyond `limit` bytes.
  void* allocate(std::size_t size, std::size_t alignment, std::size_t limit);
  /// For Norn's own use, until the run ends.
  void* allocate_own(std::size_t size) {
    void* block = allocate(size, 16, SIZE_MAX);
    header_of(block)->state = block_of_norn;
    return block;
  }
  /// Only for blocks of this arena freed by its own thread: others would make addresses depend on the schedule.
  void recycle(void* block);
  /// Empties the arena and makes its memory zero again.
  void reset();

  /// How much of it was in use at some moment. What was in it then is `memory()`.
  struct Mark {
    std::size_t used = 0;
    std::size_t blocks = 0;
  };
  [[nodiscard]] Mark mark() const { return {used(), blocks_.size()}; }
  /// False if there is more to remember than a mark.
  [[nodiscard]] bool can_go_back() const { return !recycles_; }
  /// All that was allocated since is as if it had never been.
  void go_back(const Mark& mark);
  [[nodiscard]] std::span<const std::byte> memory() const {
    return {reinterpret_cast<const std::byte*>(begin_), used()};
  }

  /// The block that contains `address`, or is the last one before it.
  [[nodiscard]] const void* block_at(std::uintptr_t address) const;
  /// The first block after `address`, or nullptr.
  [[nodiscard]] const void* block_after(std::uintptr_t address) const;
  /// All blocks so far, freed ones included.
  [[nodiscard]] std::span<char* const> blocks() const { return blocks_; }
  /// Whose arena `address` is in.
  template <typename Threads>
  static auto owner_of(std::uintptr_t address, Threads& threads) -> decltype(&threads[0]) {
    const std::size_t index = (address - region_begin) / region_size;
    return index < threads.size() ? &threads[index] : nullptr;
  }

  [[nodiscard]] const char* begin() const { return begin_; }
  [[nodiscard]] std::size_t used() const { return static_cast<std::size_t>(next_ - begin_); }

 private:
  void* reuse(std::size_t size, std::size_t alignment);
  void clear_from(std::size_t offset);

  std::vector<char*> blocks_;  ///< in use or freed, by address
  char* begin_ = nullptr;
  char* next_ = nullptr;
  unsigned index_ = 0;
  bool recycles_ = false;
  void* free_[size_classes] = {};
};

/// Whether `pointer` is in some virtual thread's arena.
inline bool in_arena(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) - Arena::region_begin < Arena::region_size * most_threads;
}

}  // namespace norn::exec
