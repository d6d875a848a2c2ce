#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "report/symbols.hpp"

namespace norn {

/// Where in the program something happened.
struct Place {
  std::string file;
  int line = 0;
  std::string function;

  [[nodiscard]] std::string text() const { return file.empty() ? "?" : file + ":" + std::to_string(line); }
};

/// Names for the addresses of a report: places in the source and objects in memory.
class Names {
 public:
  explicit Names(const nlohmann::json& modules);

  /// The innermost frame of a call stack that is the user's own code rather than a library's.
  Place place(const nlohmann::json& stack, std::uint64_t site);
  /// All frames of a stack that have a name.
  std::vector<Place> frames(const nlohmann::json& stack);
  /// The name of a global; empty if the address is none.
  std::string object(std::uint64_t address);

 private:
  struct Module {
    std::string path;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t bias;
  };

  const Module* module_of(std::uint64_t address) const;

  std::vector<Module> modules_;
  Symbolizer symbolizer_;
};

}  // namespace norn
