#pragma once

#include <cstddef>
#include <cstdint>

#include "support/hash.hpp"

namespace norn::exec {

/// Instead of the time now: no word is a time.
inline constexpr std::uint64_t no_clock = 0;

/// Hashes a part of the program's state. Words that are times count by how far they are from `clock`, the monotonic
/// clock now: so a state is the same as an earlier one from which it differs only in that time has passed.
std::uint64_t hash_state(const void* data, std::size_t size, std::uint64_t clock);

}  // namespace norn::exec
