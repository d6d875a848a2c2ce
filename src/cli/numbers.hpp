#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace norn {

inline constexpr std::uint64_t any_number = UINT64_MAX;

/// A whole number, written as digits and nothing else: the library would take -1 for a very large one, and 010 for 8.
/// (For CLI::Option::transform, which gets it without zeros in front.)
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

CLI::Validator seconds();

/// From 0 to 1.
CLI::Validator probability();

}  // namespace norn
