#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace norn {

/// "1 event", "2 events", "0.5 seconds".
template <typename Number>
std::string plural(Number count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "5 of 8 sync pairs are covered", "1 of 1 sync pair is covered". `nouns` is for several.
inline std::string covered_share(std::uint64_t covered, std::uint64_t all, std::string_view nouns) {
  if (all == 1 && nouns.ends_with('s')) nouns.remove_suffix(1);
  return fmt::format("{} of {} {} {} covered", covered, all, nouns, all == 1 ? "is" : "are");
}

}  // namespace norn
