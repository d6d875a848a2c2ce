#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "support/copy.hpp"

namespace norn::exec {

/// What pieces of memory contained at some moment. Its own memory is kept for the next time.
class MemoryImage {
 public:
  void clear() {
    parts_.clear();
    bytes_.clear();
  }
  void add(std::span<const std::byte> part) {
    if (part.empty()) return;
    const std::size_t offset = bytes_.size();
    bytes_.resize(offset + part.size());
    copy(&bytes_[offset], part.data(), part.size());
    parts_.push_back({const_cast<std::byte*>(part.data()), part.size()});
  }
  void put_back() const {
    const std::byte* from = bytes_.data();
    for (const Part& part : parts_) {
      copy(part.begin, from, part.size);
      from += part.size;
    }
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  static void copy(std::byte* to, const std::byte* from, std::size_t size) {
    constexpr std::size_t few = 1024;
    size <= few ? copy_few(to, from, size) : static_cast<void>(std::memcpy(to, from, size));
  }

  struct Part {
    std::byte* begin;
    std::size_t size;
  };

  std::vector<Part> parts_;
  std::vector<std::byte> bytes_;
};

}  // namespace norn::exec
