#include "report/dwarf_unit.hpp"

#include <dwarf.h>
#include <algorithm>
#include <filesystem>

#include "report/dwarf_types.hpp"

namespace norn::dwarf {

namespace fs = std::filesystem;

namespace {

std::string shown_path(const fs::path& file) {
  const fs::path normal = file.lexically_normal();
  const fs::path relative = normal.lexically_relative(fs::current_path());
  return relative.empty() || *relative.begin() == ".." ? normal : relative;
}

}  // namespace

Unit::Unit(Dwarf_Die die) : die_(die) {
  read_children(die_, top_level, nullptr);
  std::sort(functions_.begin(), functions_.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
}

std::vector<Frame> Unit::frames(Dwarf_Addr address) {
  std::vector<Frame> frames(1);
  set_line(frames[0], address);
  std::vector<Dwarf_Die> calls = calls_at(address);
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    frames.back().function = function_name(*call);
    if (dwarf_tag(&*call) != DW_TAG_inlined_subroutine) break;
    frames.back().inlined = true;
    set_call_site(frames.emplace_back(), *call);
  }
  return frames;
}

Dwarf_Die* Unit::type_at(Dwarf_Addr address) {
  const auto found = variables_.find(address);
  return found != variables_.end() ? &found->second.type : nullptr;
}

Frame Unit::declaration_at(Dwarf_Addr address) {
  const auto found = variables_.find(address);
  return found != variables_.end() ? declaration(found->second.die) : Frame();
}

std::string Unit::local_at(Dwarf_Addr address, std::int64_t distance) {
  const auto found = local(address, distance);
  return found ? found->name : "";
}

Frame Unit::local_declaration(Dwarf_Addr address, std::int64_t distance) {
  auto found = local(address, distance);
  return found ? declaration(found->variable) : Frame();
}

std::optional<Unit::Local> Unit::local(Dwarf_Addr address, std::int64_t distance) const {
  std::vector<Dwarf_Die> calls = calls_at(address);
  return calls.empty() ? std::nullopt : find_local(calls.front(), calls.front(), address, distance);
}

// Blocks and inlined calls have variables of their own in the same frame; those that the code is not in share their
// memory with others.
std::optional<Unit::Local> Unit::find_local(Dwarf_Die& scope, Dwarf_Die& function, Dwarf_Addr address,
                                            std::int64_t distance) {
  Dwarf_Die child;
  for (int more = dwarf_child(&scope, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
      const auto start = distance_of(child, function, address);
      auto type = start ? type_of(child) : std::nullopt;
      const std::string name = text(child, DW_AT_name);
      if (!type || name.empty() || distance < *start) continue;
      const auto offset = static_cast<std::uint64_t>(distance - *start);
      if (offset < size_of(*type)) return Local{child, name + part_of(*type, offset)};
    } else if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && dwarf_haspc(&child, address) > 0) {
      if (auto found = find_local(child, function, address, distance)) return found;
    }
  }
  return std::nullopt;
}

void Unit::read_children(Dwarf_Die& parent, int scope, Code* around) {
  Dwarf_Die child;
  for (int more = dwarf_child(&parent, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable: read_variable(child); break;
      case DW_TAG_namespace:
      case DW_TAG_structure_type:
      case DW_TAG_class_type: read_children(child, add_scope(child, scope), nullptr); break;
      case DW_TAG_subprogram: read_function(child, add_scope(child, scope)); break;
      case DW_TAG_inlined_subroutine: read_inlined(child, scope, around); break;
      case DW_TAG_lexical_block: read_children(child, scope, around); break;
      default: break;
    }
  }
}

int Unit::add_scope(Dwarf_Die& die, int parent) {
  scopes_.push_back({die, parent});
  const int index = static_cast<int>(scopes_.size()) - 1;
  scope_of_die_.emplace(dwarf_dieoffset(&die), index);
  return index;
}

void Unit::read_variable(Dwarf_Die& die) {
  const auto address = address_of(die);
  const auto type = address ? type_of(die) : std::nullopt;
  if (type) variables_.emplace(*address, Variable{die, *type});
}

void Unit::read_function(Dwarf_Die& die, int scope) {
  Code code = {die, ranges_of(die), {}};
  read_children(die, scope, &code);
  for (const auto& [start, end] : code.ranges) functions_.push_back({start, end, codes_.size()});
  if (!code.ranges.empty()) codes_.push_back(std::move(code));
}

void Unit::read_inlined(Dwarf_Die& die, int scope, Code* around) {
  Code code = {die, ranges_of(die), {}};
  read_children(die, scope, &code);
  if (around) around->inlined.push_back(std::move(code));
}

std::vector<Dwarf_Die> Unit::calls_at(Dwarf_Addr address) const {
  auto function = std::upper_bound(functions_.begin(), functions_.end(), address,
                                   [](Dwarf_Addr value, const auto& range) { return value < range.start; });
  if (function == functions_.begin() || address >= (--function)->end) return {};
  std::vector<Dwarf_Die> calls;
  const Code* code = &codes_[function->code];
  while (code) {
    calls.push_back(code->die);
    const auto inner = std::find_if(code->inlined.begin(), code->inlined.end(),
                                    [&](const Code& candidate) { return candidate.contains(address); });
    code = inner != code->inlined.end() ? &*inner : nullptr;
  }
  return calls;
}

// GCC gives no linkage name to functions that other files cannot see, and none is needed for C.
std::string Unit::function_name(Dwarf_Die& die) const {
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (const std::string mangled = text(die, name); !mangled.empty()) return readable_name(mangled);
  return qualified_name(die);
}

std::string Unit::qualified_name(Dwarf_Die die) const {
  for (const unsigned reference : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute link;
    if (dwarf_attr(&die, reference, &link)) dwarf_formref_die(&link, &die);
  }
  std::string name = text(die, DW_AT_name);
  if (name.empty()) name = dwarf_tag(&die) == DW_TAG_namespace ? "(anonymous namespace)" : "{lambda}";
  const auto found = scope_of_die_.find(dwarf_dieoffset(&die));
  const int parent = found != scope_of_die_.end() ? scopes_[found->second].parent : top_level;
  return parent == top_level ? name : qualified_name(scopes_[parent].die) + "::" + name;
}

std::string Unit::source_path(const char* name) {
  return name ? shown_path(fs::path(text(die_, DW_AT_comp_dir)) / name) : "";
}

void Unit::set_line(Frame& frame, Dwarf_Addr address) {
  Dwarf_Line* line = dwarf_getsrc_die(&die_, address);
  if (!line) return;
  const char* const file = dwarf_linesrc(line, nullptr, nullptr);
  frame.file = source_path(file);
  dwarf_lineno(line, &frame.line);
  // Code that belongs to no line in particular has line 0; what stands before it is the best there is to show.
  Dwarf_Addr start = 0;
  while (frame.line == 0 && dwarf_lineaddr(line, &start) == 0 && (line = dwarf_getsrc_die(&die_, start - 1)) &&
         dwarf_linesrc(line, nullptr, nullptr) == file)
    dwarf_lineno(line, &frame.line);
  if (line && frame.line != 0) dwarf_linecol(line, &frame.column);
}

void Unit::set_call_site(Frame& frame, Dwarf_Die& inlined) {
  frame.file = file_path(inlined, DW_AT_call_file);
  frame.line = static_cast<int>(number(inlined, DW_AT_call_line).value_or(0));
  frame.column = static_cast<int>(number(inlined, DW_AT_call_column).value_or(0));
}

// That an attribute has the number of.
std::string Unit::file_path(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const auto file = number(die, attribute);
  if (!file || dwarf_getsrcfiles(&die_, &files, &count) != 0 || *file >= count) return "";
  return source_path(dwarf_filesrc(files, *file, nullptr, nullptr));
}

Frame Unit::declaration(Dwarf_Die& variable) {
  Frame frame;
  frame.file = file_path(variable, DW_AT_decl_file);
  frame.line = static_cast<int>(number(variable, DW_AT_decl_line).value_or(0));
  return frame;
}

}  // namespace norn::dwarf
