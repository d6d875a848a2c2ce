#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/symbols.hpp"

namespace norn {

/// Where in the program something happened.
struct Place {
  std::string file;
  int line = 0;
  std::string function;
  bool inlined = false;   ///< into the function of the next place of its stack
  std::string path = {};  ///< the name of the file byte by byte, if it cannot be shown as it is

  [[nodiscard]] std::string text() const { return file.empty() ? "?" : file + ":" + std::to_string(line); }
  /// Where to read the file.
  [[nodiscard]] const std::string& source() const { return path.empty() ? file : path; }
  /// The file without its directories.
  [[nodiscard]] std::string base_name() const { return file.substr(file.rfind('/') + 1); }
  [[nodiscard]] std::string base_text() const { return file.empty() ? "?" : base_name() + ":" + std::to_string(line); }
};

/// A function that was active at some time of a run, and the part of its thread's stack that was its own.
struct StackFrame {
  std::string thread;
  std::uint64_t code = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Names for the addresses of a report: places in the source and objects in memory.
class Names {
 public:
  explicit Names(const nlohmann::json& modules);

  /// The innermost frame of a call stack that is the user's own code rather than a library's.
  Place place(const nlohmann::json& stack, std::uint64_t site);
  /// The frames of a stack that have a name, without those in which the libraries start the user's own code and
  /// without functions that the libraries keep to themselves.
  std::vector<Place> frames(const nlohmann::json& stack);
  /// Without classes and arguments: "fetch_add".
  std::string innermost_function(const nlohmann::json& stack, std::uint64_t site);
  /// The name of a global; empty if the address is none.
  std::string object(std::uint64_t address);
  /// The name of the thread_local variable that lies so far below the control block of its thread.
  std::string thread_local_variable(std::uint64_t distance);
  /// The name of a local variable of a function; empty if it has none there.
  std::string local(const StackFrame& frame, std::uint64_t address);
  /// Where these are declared; nowhere if that is not known.
  Place object_declaration(std::uint64_t address);
  Place local_declaration(const StackFrame& frame, std::uint64_t address);
  /// The name of the function itself, not of one that is inlined there.
  std::string function(const StackFrame& frame);

 private:
  struct Module {
    std::string path;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t bias;
    std::uint64_t locals_distance;  ///< how far below the control block of a thread its thread_local variables begin
    std::uint64_t locals_size;
  };

  const Module* module_of(std::uint64_t address) const;
  /// The program itself is none of the system's, wherever it is.
  [[nodiscard]] bool is_systems(const Module& module) const;

  std::vector<Module> modules_;
  Symbolizer symbolizer_;
};

}  // namespace norn
