#pragma once

#include <elfutils/libdw.h>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/symbols.hpp"

namespace norn::dwarf {

// What a compilation unit says about its addresses. Its tree of DIEs is read once; libdw would search it again for
// every address.
class Unit {
 public:
  explicit Unit(Dwarf_Die die);

  // The function at an address and those inlined there, the innermost first.
  std::vector<Frame> frames(Dwarf_Addr address);

  // The local variable, and the part of it, that lies so far from the canonical frame address of the function that the
  // code at an address belongs to. Empty if there is none.
  std::string local_at(Dwarf_Addr address, std::int64_t distance);
  // Where that is declared; only file and line.
  Frame local_declaration(Dwarf_Addr address, std::int64_t distance);

  // The type of the variable that begins at an address.
  Dwarf_Die* type_at(Dwarf_Addr address);
  // Where it is declared; only file and line.
  Frame declaration_at(Dwarf_Addr address);

 private:
  // A function's code, or the part of it that came from a function inlined there.
  struct Code {
    Dwarf_Die die;
    std::vector<std::pair<Dwarf_Addr, Dwarf_Addr>> ranges;
    std::vector<Code> inlined;

    bool contains(Dwarf_Addr address) const {
      return std::any_of(ranges.begin(), ranges.end(),
                         [&](const auto& range) { return range.first <= address && address < range.second; });
    }
  };

  struct FunctionRange {
    Dwarf_Addr start, end;
    std::size_t code;
  };

  // Something with a name in which other names are declared.
  struct Scope {
    Dwarf_Die die;
    int parent;
  };
  static constexpr int top_level = -1;

  void read_children(Dwarf_Die& parent, int scope, Code* around);
  int add_scope(Dwarf_Die& die, int parent);
  void read_variable(Dwarf_Die& die);
  void read_function(Dwarf_Die& die, int scope);
  void read_inlined(Dwarf_Die& die, int scope, Code* around);

  struct Local {
    Dwarf_Die variable;
    std::string name;  // with the part that was asked for
  };
  std::optional<Local> local(Dwarf_Addr address, std::int64_t distance) const;
  static std::optional<Local> find_local(Dwarf_Die& scope, Dwarf_Die& function, Dwarf_Addr address,
                                         std::int64_t distance);

  // The function at an address and the calls inlined there, from the outermost to the innermost.
  std::vector<Dwarf_Die> calls_at(Dwarf_Addr address) const;

  std::string function_name(Dwarf_Die& die) const;

  // A name with its classes and namespaces, found at the declaration that instances refer to.
  std::string qualified_name(Dwarf_Die die) const;

  std::string source_path(const char* name);
  void set_line(Frame& frame, Dwarf_Addr address);
  void set_call_site(Frame& frame, Dwarf_Die& inlined);
  std::string file_path(Dwarf_Die& die, unsigned attribute);
  Frame declaration(Dwarf_Die& variable);

  Dwarf_Die die_;
  std::vector<Code> codes_;
  std::vector<FunctionRange> functions_;  // sorted
  std::vector<Scope> scopes_;
  std::unordered_map<Dwarf_Off, int> scope_of_die_;
  struct Variable {
    Dwarf_Die die;
    Dwarf_Die type;
  };
  std::unordered_map<Dwarf_Addr, Variable> variables_;
};

}  // namespace norn::dwarf
