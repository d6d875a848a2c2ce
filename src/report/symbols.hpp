#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace norn {

// One function activation at a place in the code. Several belong to one address when calls were inlined there.
struct Frame {
  std::string function;  // demangled; empty if unknown
  std::string file;      // relative to the current directory when below it; empty if unknown
  int line = 0;
  int column = 0;
  bool inlined = false;  // into the next frame

  bool operator==(const Frame&) const = default;
};

// Names for the addresses in recorded runs, from the symbol tables and debug information of the files that were
// loaded at the time. An address is given as a module's path and an offset: the address minus the module's load
// bias, which is a virtual address of the ELF file. What is not known comes back empty; nothing throws.
class Symbolizer {
 public:
  Symbolizer();
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  // The functions at an instruction, the innermost inlined one first. For a return address, ask for the byte
  // before it, which belongs to the call.
  std::vector<Frame> frames(const std::string& module, std::uint64_t offset);

  // The global object at a data address and the part of it: "queue_mutex", "account.balance", "table[3]", or
  // "buffer+16" where the type is not known.
  std::string variable(const std::string& module, std::uint64_t offset);

  // The same for a thread_local one, that lies so far from where those of the module begin.
  std::string thread_local_variable(const std::string& module, std::uint64_t offset);

  // The local variable that lies so far from the canonical frame address of the function at an instruction:
  // "account.balance". Empty if there is none, or if debug information does not say where.
  std::string local(const std::string& module, std::uint64_t offset, std::int64_t distance);

  // Where the two are declared, as far as debug information says: only file and line.
  Frame variable_declaration(const std::string& module, std::uint64_t offset);
  Frame local_declaration(const std::string& module, std::uint64_t offset, std::int64_t distance);

 private:
  class Module;
  Module& module(const std::string& path);

  std::map<std::string, std::unique_ptr<Module>> modules_;
};

// A C++ name as a person would write it: demangled, without the default arguments of standard templates. What follows
// an "@" is the version of a library.
std::string readable_name(const std::string& versioned);

}  // namespace norn
