#pragma once

#include <elfutils/libdw.h>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Debug information, read with libdw.
namespace norn::dwarf {

// The attributes of a DIE, or of the DIE that it is an instance of.
std::optional<Dwarf_Attribute> attribute(Dwarf_Die& die, unsigned name);
std::optional<Dwarf_Word> number(Dwarf_Die& die, unsigned name);
std::string text(Dwarf_Die& die, unsigned name);

std::vector<std::pair<Dwarf_Addr, Dwarf_Addr>> ranges_of(Dwarf_Die& die);

// The type of a variable, member or element, without qualifiers and other names for it.
std::optional<Dwarf_Die> type_of(Dwarf_Die& die);

// Where a variable that lives at a fixed address lives.
std::optional<Dwarf_Addr> address_of(Dwarf_Die& variable);

// Where a variable that lives in the frame of a function lives, as a distance from the canonical frame address. The
// function is the one that contains the code at `address`, inlined calls not counted.
std::optional<std::int64_t> distance_of(Dwarf_Die& variable, Dwarf_Die& function, Dwarf_Addr address);

std::uint64_t size_of(Dwarf_Die& type);

// What follows an object's name to say which part of it an offset is.
std::string part_of(Dwarf_Die& type, std::uint64_t offset);

// The same when the type is not known.
std::string plus(std::uint64_t offset);

}  // namespace norn::dwarf
