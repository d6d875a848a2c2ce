#include "report/objects.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace norn {
namespace {

/// Unsigned numbers this close to their end are negative numbers that were stored without their sign.
constexpr std::uint64_t most_negative_shown = 0x10000;
/// Numbers from here on are more likely to be addresses.
constexpr std::uint64_t first_address = std::uint64_t{1} << 32;

}  // namespace

ObjectNames::ObjectNames(Names& names, const nlohmann::json& memory) : names_(names) {
  for (const nlohmann::json& range : memory) ranges_.push_back({range.at("what"), range.at("begin"), range.at("end")});
}

/// A little beyond the block too: an access there was meant for it.
bool ObjectNames::in_block(std::uint64_t address) const {
  constexpr std::uint64_t margin = 256;
  return block_ && address + margin >= block_->begin && address < block_->begin + block_->size + margin;
}

const ObjectNames::Range* ObjectNames::range_of(std::uint64_t address) const {
  const auto found = std::find_if(ranges_.begin(), ranges_.end(), [address](const Range& range) {
    return address >= range.begin && address < range.end;
  });
  return found == ranges_.end() ? nullptr : &*found;
}

std::string ObjectNames::name(std::uint64_t address) {
  std::string global = names_.object(address);
  if (!global.empty()) return global;
  return fmt::format("#{}", numbers_.try_emplace(address, numbers_.size() + 1).first->second);
}

std::string ObjectNames::description(std::uint64_t address) {
  std::string global = names_.object(address);
  if (!global.empty()) return global;
  if (in_block(address)) {
    const std::string place = block_->allocated.place.base_text();
    return fmt::format("the heap block of {} bytes{}", block_->size,
                       place == "?" ? "" : fmt::format(" (allocated at {})", place));
  }
  const Range* const range = range_of(address);
  if (range == nullptr) return fmt::format("memory at {:#x}", address);
  return (range->what.starts_with("stack") ? "a variable on the " : "memory in the ") + range->what;
}

std::string ObjectNames::value(std::uint64_t bits) {
  constexpr std::uint64_t end = std::uint64_t{1} << 32;
  if (bits < end && bits >= end - most_negative_shown) return fmt::format("-{}", end - bits);
  if (bits >= UINT64_MAX - most_negative_shown) return fmt::format("-{}", UINT64_MAX - bits + 1);
  if (bits < first_address) return std::to_string(bits);
  const std::string global = names_.object(bits);
  return global.empty() ? fmt::format("{:#x}", bits) : "&" + global;
}

std::string ObjectNames::where(std::uint64_t address) const {
  if (in_block(address)) {
    const std::string place = block_->allocated.place.base_text();
    const std::string by = block_->allocated.thread.empty() ? "" : " by " + block_->allocated.thread;
    const auto offset = static_cast<std::int64_t>(address - block_->begin);
    return fmt::format("at offset {} in the heap block of {} bytes{}{}", offset, block_->size,
                       by.empty() && place == "?" ? "" : " allocated" + by, place == "?" ? "" : " at " + place);
  }
  const Range* const range = range_of(address);
  return range == nullptr ? fmt::format("at {:#x}", address) : "on the " + range->what;
}

std::vector<std::pair<std::string, std::string>> ObjectNames::legend() const {
  std::vector<std::pair<std::string, std::string>> entries(numbers_.size());
  for (const auto& [address, number] : numbers_) entries[number - 1] = {fmt::format("#{}", number), where(address)};
  return entries;
}

}  // namespace norn
