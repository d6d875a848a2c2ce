#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/clocks.hpp"

namespace norn::analysis {

/// What is known of the accesses to four bytes of memory in this run.
///
/// Nearly always one of these says all: which bytes are used (always the same ones), who wrote them last and who read
/// them since. Where bytes are used separately, atomically, or read by several threads at a time, `kind` says so, and
/// `write` is the index of a `Mixed`.
struct Cell {
  std::uint64_t key = 0;  ///< run << 32 | kind << 8 | mask of the bytes; of another run: nothing is known
  Epoch write = 0;
  Epoch read = 0;
};
static_assert(sizeof(Cell) == 16);

inline constexpr std::uint64_t mixed_kind = std::uint64_t{1} << 8;

/// For every cell a place, made when first asked for.
class Shadow {
 public:
  /// `map` gives so many bytes of zeroes that cost nothing until they are touched.
  explicit Shadow(void* (*map)(std::size_t));
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  static constexpr unsigned chunk_bits = 20;
  static constexpr std::uintptr_t chunk_size = std::uintptr_t{1} << chunk_bits;
  static constexpr std::uintptr_t address_limit = std::uintptr_t{1} << 47;

  /// nullptr if there is none yet.
  [[nodiscard, gnu::always_inline]] Cell* find(std::uintptr_t address) const {
    Cell* chunk = chunks_[address >> chunk_bits & chunk_mask];
    return chunk == nullptr ? nullptr : chunk + (address & ((std::uintptr_t{1} << chunk_bits) - 1)) / 4;
  }
  Cell& cell(std::uintptr_t address);
  /// Forgets all cells of a range.
  void forget(std::uintptr_t begin, std::uintptr_t end);
  void forget_everything();

 private:
  static constexpr std::uintptr_t chunk_mask = (address_limit >> chunk_bits) - 1;

  void add_chunk(std::size_t index);

  void* (*map_)(std::size_t);
  Cell** chunks_;
  std::vector<std::size_t> present_;
};

}  // namespace norn::analysis
