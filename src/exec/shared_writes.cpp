#include "exec/shared_writes.hpp"

#include <cstring>

namespace norn::exec {

SharedWrites shared_writes;

namespace {

std::uint64_t bytes_at(std::uintptr_t address, std::size_t size) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, reinterpret_cast<const void*>(address), size);
  return bytes;
}

}  // namespace

void SharedWrites::note_closely(std::uintptr_t address, std::size_t size) {
  // Nobody has anything there: the write will fail by itself.
  constexpr std::uintptr_t first_page = 1 << 16;
  if (address - own_begin_ < own_size_) return;
  if (size > sizeof(std::uint64_t) || logged_ == log_.size() || address < first_page) return note_change();
  log_[logged_++] = {address, size, bytes_at(address, size)};
}

void SharedWrites::settle() {
  for (std::uint32_t i = 0; i < logged_; ++i) count_ += bytes_at(log_[i].address, log_[i].size) != log_[i].before;
  logged_ = 0;
}

}  // namespace norn::exec
