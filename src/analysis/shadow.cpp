#include "analysis/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace norn::analysis {
namespace {

constexpr std::size_t cells_per_chunk = (std::size_t{1} << Shadow::chunk_bits) / 4;
constexpr std::size_t directory_size = (Shadow::address_limit >> Shadow::chunk_bits) * sizeof(void*);

}  // namespace

Shadow::Shadow(void* (*map)(std::size_t)) : map_(map), chunks_(static_cast<Cell**>(map(directory_size))) {}

Shadow::~Shadow() {
  for (const std::size_t index : present_) munmap(chunks_[index], cells_per_chunk * sizeof(Cell));
  munmap(chunks_, directory_size);
}

Cell& Shadow::cell(std::uintptr_t address) {
  const std::size_t index = address >> chunk_bits & chunk_mask;
  if (chunks_[index] == nullptr) add_chunk(index);
  return *find(address);
}

void Shadow::add_chunk(std::size_t index) {
  chunks_[index] = static_cast<Cell*>(map_(cells_per_chunk * sizeof(Cell)));
  present_.push_back(index);
}

void Shadow::forget(std::uintptr_t begin, std::uintptr_t end) {
  while (begin < end) {
    const std::uintptr_t stop = std::min(end, (begin | (chunk_size - 1)) + 1);
    if (Cell* cell = find(begin & ~std::uintptr_t{3}))
      for (std::uintptr_t i = begin & ~std::uintptr_t{3}; i < stop; i += 4) (cell++)->key = 0;
    begin = stop;
  }
}

void Shadow::forget_everything() {
  for (const std::size_t index : present_) madvise(chunks_[index], cells_per_chunk * sizeof(Cell), MADV_DONTNEED);
}

}  // namespace norn::analysis
