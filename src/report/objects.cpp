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

ObjectNames::ObjectNames(Names& names, const nlohmann::json& memory, const nlohmann::json& frames) : names_(names) {
  for (const nlohmann::json& range : memory)
    ranges_.push_back({range.at("what"), range.at("begin"), range.at("end"), range.value("thread", std::string())});
  for (const nlohmann::json& frame : frames)
    frames_.push_back({frame.at("thread"), frame.at("code"), frame.at("begin"), frame.at("end")});
}

bool ObjectNames::in_block(std::uint64_t address) const {
  if (!block_) return false;
  const bool is_meant = address >= meant_.first && address < meant_.second;
  return is_meant || (address >= block_->begin && address < block_->begin + block_->size);
}

const ObjectNames::Range* ObjectNames::range_of(std::uint64_t address) const {
  const auto found = std::find_if(ranges_.begin(), ranges_.end(), [address](const Range& range) {
    return address >= range.begin && address < range.end;
  });
  return found == ranges_.end() ? nullptr : &*found;
}

/// Functions that were active one after the other share parts of the stack; a name is one only if all that had the
/// address in their frames agree.
const ObjectNames::Local& ObjectNames::local(std::uint64_t address) {
  const auto [entry, is_new] = locals_.try_emplace(address);
  Local& local = entry->second;
  if (!is_new) return local;
  bool agreed = true;
  bool same_function = true;
  for (const StackFrame& frame : frames_) {
    if (address < frame.begin || address >= frame.end) continue;
    const std::string function = names_.function(frame);
    same_function &= local.function.empty() || local.function == function;
    local.function = function;
    const std::string name = names_.local(frame, address);
    agreed &= local.name.empty() || name.empty() || local.name == name;
    if (name.empty()) continue;
    local.name = name;
    local.declared = names_.local_declaration(frame, address);
  }
  if (!agreed) local.name.clear();
  if (!same_function) local.function.clear();
  return local;
}

std::string ObjectNames::new_name(std::uint64_t address) {
  const std::string& name = local(address).name;
  const auto has_name = [&](const auto& entry) { return entry.second == name; };
  const bool is_free = !name.empty() && std::none_of(given_.begin(), given_.end(), has_name);
  return is_free ? name : fmt::format("#{}", ++numbered_);
}

/// What the program has declared outside of functions: one for all threads, or one for each.
std::string ObjectNames::global(std::uint64_t address) {
  std::string object = names_.object(address);
  const Range* const range = object.empty() ? range_of(address) : nullptr;
  if (range == nullptr || range->locals_of.empty()) return object;
  const std::string variable = names_.thread_local_variable(range->end - address);
  return variable.empty() ? "" : fmt::format("thread-local {} of {}", variable, range->locals_of);
}

std::string ObjectNames::name(std::uint64_t address) {
  std::string global = this->global(address);
  if (!global.empty()) return global;
  if (!given_.contains(address)) {
    given_[address] = new_name(address);
    order_.push_back(address);
  }
  return given_[address];
}

bool ObjectNames::has_name(std::uint64_t address) {
  return !names_.object(address).empty() || name(address) == local(address).name;
}

Place ObjectNames::declaration(std::uint64_t address) {
  if (!names_.object(address).empty()) return names_.object_declaration(address);
  return local(address).name.empty() ? Place() : local(address).declared;
}

std::string ObjectNames::description(std::uint64_t address) {
  std::string global = this->global(address);
  if (!global.empty()) return global;
  if (in_block(address)) {
    const std::string place = block_->allocated.place.base_text();
    return fmt::format("the heap block of {} bytes{}", block_->size,
                       place == "?" ? "" : fmt::format(" (allocated at {})", place));
  }
  const Local& variable = local(address);
  if (!variable.name.empty()) return variable.name;
  if (!variable.function.empty()) return "a variable in the frame of " + variable.function;
  const Range* const range = range_of(address);
  if (range == nullptr) return fmt::format("memory at {:#x}", address);
  return (range->what.starts_with("stack") ? "a variable on the " : "memory in the ") + range->what;
}

std::string ObjectNames::value(std::uint64_t bits) {
  constexpr std::uint64_t end = std::uint64_t{1} << 32;
  if (bits < end && bits >= end - most_negative_shown) return fmt::format("-{}", end - bits);
  if (bits >= UINT64_MAX - most_negative_shown) return fmt::format("-{}", UINT64_MAX - bits + 1);
  if (bits < first_address) return std::to_string(bits);
  const std::string global = this->global(bits);
  if (!global.empty()) return "&" + global;
  const std::string& variable = local(bits).name;
  return variable.empty() ? fmt::format("{:#x}", bits) : "&" + variable;
}

std::string ObjectNames::where(std::uint64_t address) {
  if (in_block(address)) {
    const std::string place = block_->allocated.place.base_text();
    const std::string by = block_->allocated.thread.empty() ? "" : " by " + block_->allocated.thread;
    const auto offset = static_cast<std::int64_t>(address - block_->begin);
    return fmt::format("at offset {} in the heap block of {} bytes{}{}", offset, block_->size,
                       by.empty() && place == "?" ? "" : " allocated" + by, place == "?" ? "" : " at " + place);
  }
  const std::string& function = local(address).function;
  const Range* const range = range_of(address);
  if (range == nullptr) return fmt::format("at {:#x}", address);
  const char* const side = range->locals_of.empty() ? "on" : "in";
  return fmt::format("{} the {}{}", side, range->what,
                     function.empty() ? "" : fmt::format(", in the frame of {}", function));
}

std::vector<std::pair<std::string, std::string>> ObjectNames::legend() {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const std::uint64_t address : order_) entries.emplace_back(given_[address], where(address));
  return entries;
}

}  // namespace norn
