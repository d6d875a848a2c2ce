#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/hash.hpp"

namespace norn::exec {

/// Which bytes the atomic operations of a run were about. An object is known by its address, so two of them that begin
/// at different addresses are taken to be independent: here it is noticed if they have bytes in common.
class AtomicShapes {
 public:
  void begin_run() {
    ++run_;
    used_ = 0;
  }

  /// An operation on so many bytes; false if others were about some of them that began elsewhere.
  bool add(std::uintptr_t address, std::size_t size) {
    const std::uintptr_t offset = address % block_size;
    if (offset + size > block_size) [[unlikely]]
      return add_large(address, size);
    return add_within(address / block_size, 1U << offset, ((1U << size) - 2U) << offset);
  }

 private:
  static constexpr std::uintptr_t block_size = 16;
  struct Block {
    std::uintptr_t number = 0;
    std::uint64_t run = 0;
    std::uint32_t begins = 0;  ///< bytes at which an operation began
    std::uint32_t inside = 0;  ///< other bytes of operations
  };

  bool add_within(std::uintptr_t number, std::uint32_t begin, std::uint32_t inside) {
    Block& block = find(number);
    const bool overlaps = (block.inside & begin) != 0 || (block.begins & inside) != 0;
    block.begins |= begin;
    block.inside |= inside;
    return !overlaps;
  }

  /// Objects of several blocks, or across the end of one.
  bool add_large(std::uintptr_t address, std::size_t size) {
    bool fits = true;
    for (std::uintptr_t byte = address; byte < address + size; ++byte) {
      const std::uint32_t bit = 1U << byte % block_size;
      fits &= add_within(byte / block_size, byte == address ? bit : 0, byte == address ? 0 : bit);
    }
    return fits;
  }

  Block& find(std::uintptr_t number) {
    std::size_t i = place_of(number);
    while (table_[i].run == run_ && table_[i].number != number) i = (i + 1) % table_.size();
    if (table_[i].run == run_) return table_[i];
    if (++used_ * 2 > table_.size()) {
      grow();
      return find(number);
    }
    return table_[i] = {number, run_, 0, 0};
  }
  [[nodiscard]] std::size_t place_of(std::uintptr_t number) const { return combine(number, 0) % table_.size(); }
  void grow() {
    std::vector<Block> old(table_.size() * 2);
    old.swap(table_);
    used_ = 0;
    for (const Block& block : old)
      if (block.run == run_) find(block.number) = block;
  }

  std::vector<Block> table_ = std::vector<Block>(256);
  std::size_t used_ = 0;
  std::uint64_t run_ = 1;
};

}  // namespace norn::exec
