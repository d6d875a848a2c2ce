#include "report/dwarf_types.hpp"

#include <dwarf.h>
#include <algorithm>

#include <fmt/format.h>

#include <cstdlib>

namespace norn::dwarf {

namespace {

// The one operation that says where something is when the code at an address runs.
const Dwarf_Op* only_operation(Dwarf_Die& die, unsigned name, Dwarf_Addr address) {
  auto location = attribute(die, name);
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (!location || dwarf_getlocation_addr(&*location, address, &operations, &count, 1) != 1 || count != 1)
    return nullptr;
  return operations;
}

// The frame base of a function as a distance from its canonical frame address. Where it is the frame pointer, that has
// been saved below the return address.
std::optional<std::int64_t> frame_base(Dwarf_Die& function, Dwarf_Addr address) {
  constexpr std::int64_t saved = -16;
  const Dwarf_Op* const operation = only_operation(function, DW_AT_frame_base, address);
  if (operation == nullptr) return std::nullopt;
  if (operation->atom == DW_OP_call_frame_cfa) return 0;
  if (operation->atom == DW_OP_reg6) return saved;
  if (operation->atom == DW_OP_breg6) return saved + static_cast<std::int64_t>(operation->number);
  return std::nullopt;
}

std::string element_of(Dwarf_Die& array, std::uint64_t offset) {
  auto element = type_of(array);
  if (!element || size_of(*element) == 0) return plus(offset);
  // The dimensions' sizes, from the last one on, are how far apart neighbours are.
  std::vector<std::uint64_t> counts;
  Dwarf_Die dimension;
  for (int more = dwarf_child(&array, &dimension); more == 0; more = dwarf_siblingof(&dimension, &dimension)) {
    if (dwarf_tag(&dimension) != DW_TAG_subrange_type) continue;
    const auto count = number(dimension, DW_AT_count);
    const auto bound = number(dimension, DW_AT_upper_bound);
    counts.push_back(std::max<std::uint64_t>(1, count ? *count : bound ? *bound + 1 : 1));
  }
  std::uint64_t index = offset / size_of(*element);
  std::string subscripts;
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    subscripts = fmt::format("[{}]", count + 1 == counts.rend() ? index : index % *count) + subscripts;
    index /= *count;
  }
  return subscripts + part_of(*element, offset % size_of(*element));
}

// Norn's own constructs are what users know; what is inside is not.
bool is_construct(Dwarf_Die& structure) {
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&structure, &scopes);
  bool found = false;
  for (int i = 1; i < count; ++i)
    found |= dwarf_tag(&scopes[i]) == DW_TAG_namespace && text(scopes[i], DW_AT_name) == "norn";
  std::free(scopes);
  return found;
}

// The members that libraries name with a leading underscore are no part of what users know about a class.
std::string member_of(Dwarf_Die& structure, std::uint64_t offset) {
  if (is_construct(structure)) return "";
  Dwarf_Die member;
  for (int more = dwarf_child(&structure, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
    const int tag = dwarf_tag(&member);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    const auto start = number(member, DW_AT_data_member_location);
    auto type = type_of(member);
    if (!start || !type || offset < *start || offset - *start >= size_of(*type)) continue;
    const std::string name = text(member, DW_AT_name);
    if (name.starts_with("_")) break;
    const std::string rest = part_of(*type, offset - *start);
    return name.empty() ? rest : fmt::format(".{}{}", name, rest);
  }
  return plus(offset);
}

}  // namespace

std::optional<Dwarf_Attribute> attribute(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute result;
  if (!dwarf_attr_integrate(&die, name, &result)) return std::nullopt;
  return result;
}

std::optional<Dwarf_Word> number(Dwarf_Die& die, unsigned name) {
  auto found = attribute(die, name);
  Dwarf_Word value = 0;
  if (!found || dwarf_formudata(&*found, &value) != 0) return std::nullopt;
  return value;
}

std::string text(Dwarf_Die& die, unsigned name) {
  auto found = attribute(die, name);
  const char* const value = found ? dwarf_formstring(&*found) : nullptr;
  return value ? value : "";
}

std::vector<std::pair<Dwarf_Addr, Dwarf_Addr>> ranges_of(Dwarf_Die& die) {
  std::vector<std::pair<Dwarf_Addr, Dwarf_Addr>> ranges;
  Dwarf_Addr base = 0, start = 0, end = 0;
  for (std::ptrdiff_t next = 0; (next = dwarf_ranges(&die, next, &base, &start, &end)) > 0;)
    ranges.emplace_back(start, end);
  return ranges;
}

std::optional<Dwarf_Die> type_of(Dwarf_Die& die) {
  auto found = attribute(die, DW_AT_type);
  Dwarf_Die type, peeled;
  if (!found || !dwarf_formref_die(&*found, &type) || dwarf_peel_type(&type, &peeled) != 0) return std::nullopt;
  return peeled;
}

std::optional<Dwarf_Addr> address_of(Dwarf_Die& variable) {
  auto location = attribute(variable, DW_AT_location);
  Dwarf_Op* operation = nullptr;
  std::size_t count = 0;
  if (!location || dwarf_getlocation(&*location, &operation, &count) != 0 || count != 1) return std::nullopt;
  if (operation->atom == DW_OP_addr) return operation->number;
  Dwarf_Attribute indirect;
  Dwarf_Addr address = 0;
  if (operation->atom != DW_OP_addrx || dwarf_getlocation_attr(&*location, operation, &indirect) != 0 ||
      dwarf_formaddr(&indirect, &address) != 0)
    return std::nullopt;
  return address;
}

std::optional<std::int64_t> distance_of(Dwarf_Die& variable, Dwarf_Die& function, Dwarf_Addr address) {
  const Dwarf_Op* const operation = only_operation(variable, DW_AT_location, address);
  const auto base = frame_base(function, address);
  if (operation == nullptr || operation->atom != DW_OP_fbreg || !base) return std::nullopt;
  return *base + static_cast<std::int64_t>(operation->number);
}

std::uint64_t size_of(Dwarf_Die& type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

std::string part_of(Dwarf_Die& type, std::uint64_t offset) {
  switch (dwarf_tag(&type)) {
    case DW_TAG_array_type: return element_of(type, offset);
    case DW_TAG_structure_type:
    case DW_TAG_class_type: return member_of(type, offset);
    default: return plus(offset);
  }
}

std::string plus(std::uint64_t offset) { return offset == 0 ? "" : fmt::format("+{}", offset); }

}  // namespace norn::dwarf
