#include "report/symbols.hpp"

#include <cxxabi.h>
#include <elfutils/libdwfl.h>
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "report/dwarf_types.hpp"
#include "report/dwarf_unit.hpp"

namespace norn {

namespace {

template <typename T>
using Malloced = std::unique_ptr<T, decltype(&std::free)>;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Removes every ", std::name<...>": a template argument that nobody wrote.
void remove_argument(std::string& text, const std::string& name) {
  const std::string start = ", std::" + name + "<";
  for (std::size_t at = 0; (at = text.find(start, at)) != std::string::npos;) {
    std::size_t end = at + start.size();
    for (int depth = 1; end < text.size() && depth > 0; ++end) depth += (text[end] == '<') - (text[end] == '>');
    text.erase(at, end - at);
  }
}

int find_debuginfo(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, const char* file,
                   const char* link, GElf_Word crc, char** found) {
  // Not the standard function, which would download what is missing.
  return dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc, found);
}

}  // namespace

std::string readable_name(const std::string& versioned) {
  std::string symbol = versioned.substr(0, versioned.find('@'));
  if (!symbol.starts_with("_Z")) return symbol;  // a short plain name would be taken for a type's code
  int status = 0;
  Malloced<char> demangled(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (!demangled) return symbol;
  std::string name = demangled.get();
  replace_all(name, "std::__cxx11::", "std::");
  replace_all(name, "[abi:cxx11]", "");
  for (const char* argument : {"allocator", "char_traits", "default_delete"}) remove_argument(name, argument);
  replace_all(name, " >", ">");
  replace_all(name, "std::basic_string<char>", "std::string");
  return name;
}

// One file, reported to libdwfl at the addresses that are written in it.
class Symbolizer::Module {
 public:
  explicit Module(const std::string& path) : dwfl_(dwfl_begin(&callbacks), dwfl_end) {
    if (dwfl_) module_ = dwfl_report_elf(dwfl_.get(), path.c_str(), path.c_str(), -1, 0, true);
    if (dwfl_) dwfl_report_end(dwfl_.get(), nullptr, nullptr);
  }

  const std::vector<Frame>& frames(std::uint64_t offset) {
    const auto [found, is_new] = frames_.try_emplace(offset);
    if (is_new && module_) found->second = look_up_frames(offset);
    return found->second;
  }

  std::string variable(std::uint64_t offset) {
    const Global global = global_at(offset);
    return global.name ? readable_name(global.name) + part_name(offset - global.distance, global.distance) : "";
  }

  std::string thread_local_variable(std::uint64_t offset) const {
    const Global found = module_ ? symbol_around(STT_TLS, offset) : Global();
    return found.name ? readable_name(found.name) + dwarf::plus(found.distance) : "";
  }

  Frame variable_declaration(std::uint64_t offset) {
    const Global global = global_at(offset);
    if (!global.name) return {};
    if (!ranges_) find_units();
    for (LazyUnit& unit : units_)
      if (Frame found = unit.get().declaration_at(offset - global.distance); found.line != 0) return found;
    return {};
  }

  Frame local_declaration(std::uint64_t offset, std::int64_t distance) {
    dwarf::Unit* const unit = module_ ? unit_at(offset) : nullptr;
    return unit ? unit->local_declaration(offset, distance) : Frame();
  }

  std::string local(std::uint64_t offset, std::int64_t distance) {
    dwarf::Unit* const unit = module_ ? unit_at(offset) : nullptr;
    return unit ? unit->local_at(offset, distance) : "";
  }

 private:
  // What the symbol table says of a data address.
  struct Global {
    const char* name = nullptr;
    GElf_Off distance = 0;  // from where it begins
  };
  Global global_at(std::uint64_t offset) const {
    GElf_Off distance = 0;
    GElf_Sym symbol;
    const char* const name =
        module_ ? dwfl_module_addrinfo(module_, offset, &distance, &symbol, nullptr, nullptr, nullptr) : nullptr;
    if (!name) return {};
    if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && distance < symbol.st_size) return {name, distance};
    return symbol_around(STT_OBJECT, offset);  // what a mark of the linker at the same address hides
  }

  Global symbol_around(unsigned type, std::uint64_t offset) const {
    const int count = dwfl_module_getsymtab(module_);
    for (int i = 1; i < count; ++i) {
      GElf_Sym symbol;
      GElf_Addr begin = 0;
      const char* const name = dwfl_module_getsym_info(module_, i, &symbol, &begin, nullptr, nullptr, nullptr);
      if (name && GELF_ST_TYPE(symbol.st_info) == type && offset - begin < symbol.st_size)
        return {name, offset - begin};
    }
    return {};
  }

  std::vector<Frame> look_up_frames(std::uint64_t offset) {
    std::vector<Frame> frames(1);
    if (dwarf::Unit* const unit = unit_at(offset)) frames = unit->frames(offset);
    if (frames.back().function.empty()) frames.back().function = symbol_name(offset);
    return frames == std::vector<Frame>(1) ? std::vector<Frame>() : frames;
  }

  std::string symbol_name(std::uint64_t offset) {
    GElf_Off distance = 0;
    GElf_Sym symbol;
    const char* const name = dwfl_module_addrinfo(module_, offset, &distance, &symbol, nullptr, nullptr, nullptr);
    const bool is_data =
        name && (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT || GELF_ST_TYPE(symbol.st_info) == STT_TLS);
    return name && !is_data && distance < std::max<GElf_Xword>(symbol.st_size, 1) ? readable_name(name) : "";
  }

  std::string part_name(std::uint64_t start, std::uint64_t distance) {
    if (!ranges_) find_units();
    for (LazyUnit& unit : units_)
      if (Dwarf_Die* const type = unit.get().type_at(start)) return dwarf::part_of(*type, distance);
    return dwarf::plus(distance);
  }

  dwarf::Unit* unit_at(std::uint64_t offset) {
    if (!ranges_) find_units();
    auto range = std::upper_bound(ranges_->begin(), ranges_->end(), offset,
                                  [](std::uint64_t address, const UnitRange& unit) { return address < unit.start; });
    return range != ranges_->begin() && offset < (--range)->end ? &units_[range->unit].get() : nullptr;
  }

  // libdwfl's own look-up relies on the section .debug_aranges, which Clang does not write.
  void find_units() {
    ranges_.emplace();
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module_, unit, &bias));) {
      for (const auto& [start, end] : dwarf::ranges_of(*unit)) ranges_->push_back({start, end, units_.size()});
      units_.push_back({*unit, nullptr});
    }
    std::sort(ranges_->begin(), ranges_->end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  }

  struct UnitRange {
    Dwarf_Addr start, end;
    std::size_t unit;
  };

  struct LazyUnit {
    Dwarf_Die die;
    std::unique_ptr<dwarf::Unit> unit;

    dwarf::Unit& get() {
      if (!unit) unit = std::make_unique<dwarf::Unit>(die);
      return *unit;
    }
  };

  static inline const Dwfl_Callbacks callbacks = {
      .find_elf = dwfl_build_id_find_elf,
      .find_debuginfo = find_debuginfo,
      .section_address = dwfl_offline_section_address,
      .debuginfo_path = nullptr,
  };

  std::unique_ptr<Dwfl, decltype(&dwfl_end)> dwfl_;
  Dwfl_Module* module_ = nullptr;
  std::unordered_map<std::uint64_t, std::vector<Frame>> frames_;
  std::optional<std::vector<UnitRange>> ranges_;  // sorted; read when first needed
  std::vector<LazyUnit> units_;
};

Symbolizer::Symbolizer() = default;
Symbolizer::~Symbolizer() = default;

Symbolizer::Module& Symbolizer::module(const std::string& path) {
  auto& found = modules_[path];
  if (!found) found = std::make_unique<Module>(path);
  return *found;
}

std::vector<Frame> Symbolizer::frames(const std::string& path, std::uint64_t offset) {
  return module(path).frames(offset);
}

std::string Symbolizer::variable(const std::string& path, std::uint64_t offset) {
  return module(path).variable(offset);
}

std::string Symbolizer::thread_local_variable(const std::string& path, std::uint64_t offset) {
  return module(path).thread_local_variable(offset);
}

std::string Symbolizer::local(const std::string& path, std::uint64_t offset, std::int64_t distance) {
  return module(path).local(offset, distance);
}

Frame Symbolizer::variable_declaration(const std::string& path, std::uint64_t offset) {
  return module(path).variable_declaration(offset);
}

Frame Symbolizer::local_declaration(const std::string& path, std::uint64_t offset, std::int64_t distance) {
  return module(path).local_declaration(offset, distance);
}

}  // namespace norn
