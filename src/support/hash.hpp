#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace norn {

/// The product of both, folded: every bit of the result depends on every bit of the arguments.
inline std::uint64_t combine(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15) * (b ^ 0xd6e8feb86659fd93);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t hash_bytes(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::uint64_t hash = size;
  std::uint64_t word = 0;
  for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
    std::memcpy(&word, bytes, sizeof word);
    hash = combine(hash, word);
  }
  word = 0;
  if (size != 0) std::memcpy(&word, bytes, size);
  return combine(hash, word);
}

}  // namespace norn
