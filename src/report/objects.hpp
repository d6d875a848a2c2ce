#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/bug.hpp"

namespace norn {

/// Names for the objects of one failing run: those of globals and of local variables, and numbers for what has no name,
/// in the order in which it is met.
class ObjectNames {
 public:
  ObjectNames(Names& names, const nlohmann::json& memory, const nlohmann::json& frames);

  /// The heap block that the bug is about: what lies in it is named after it, and so is what was meant to, from one
  /// address to another.
  void set_block(const ReportedBlock& block, std::pair<std::uint64_t, std::uint64_t> meant) {
    block_ = block;
    meant_ = meant;
  }

  /// A short name, for diagrams.
  std::string name(std::uint64_t address);
  /// Whether that is a name that the program gives it, and not a number.
  bool has_name(std::uint64_t address);
  /// Where it is declared, if it is a variable or a part of one.
  Place declaration(std::uint64_t address);
  /// The same for sentences: "counter", "the heap block of 24 bytes (allocated at queue.cpp:12)".
  std::string description(std::uint64_t address);
  /// What an atomic object contained: a number, or where it points to.
  std::string value(std::uint64_t bits);

  /// Where those are that are no globals.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> legend();

 private:
  struct Range {
    std::string what;
    std::uint64_t begin;
    std::uint64_t end;
    std::string locals_of;  ///< the thread whose thread_local variables these are, if they are some
  };
  /// A variable in the frame of a function; each may be unknown.
  struct Local {
    std::string name;
    std::string function;
    Place declared = {};
  };

  std::string global(std::uint64_t address);
  [[nodiscard]] bool in_block(std::uint64_t address) const;
  [[nodiscard]] const Range* range_of(std::uint64_t address) const;
  const Local& local(std::uint64_t address);
  std::string new_name(std::uint64_t address);
  std::string where(std::uint64_t address);

  Names& names_;
  std::vector<Range> ranges_;
  std::vector<StackFrame> frames_;
  std::optional<ReportedBlock> block_;
  std::pair<std::uint64_t, std::uint64_t> meant_;
  std::map<std::uint64_t, Local> locals_;
  std::map<std::uint64_t, std::string> given_;
  std::vector<std::uint64_t> order_;
  std::size_t numbered_ = 0;
};

}  // namespace norn
