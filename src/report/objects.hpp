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

/// Names for the objects of one failing run: those of globals, and numbers for those that have none, in the order in
/// which they are met.
class ObjectNames {
 public:
  ObjectNames(Names& names, const nlohmann::json& memory);

  /// The heap block that the bug is about: what lies in it is named after it.
  void set_block(const ReportedBlock& block) { block_ = block; }

  /// A short name, for diagrams.
  std::string name(std::uint64_t address);
  /// The same for sentences: "counter", "the heap block of 24 bytes (allocated at queue.cpp:12)".
  std::string description(std::uint64_t address);
  /// What an atomic object contained: a number, or where it points to.
  std::string value(std::uint64_t bits);

  /// What the numbered names stand for.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> legend() const;

 private:
  struct Range {
    std::string what;
    std::uint64_t begin;
    std::uint64_t end;
  };

  [[nodiscard]] bool in_block(std::uint64_t address) const;
  [[nodiscard]] const Range* range_of(std::uint64_t address) const;
  [[nodiscard]] std::string where(std::uint64_t address) const;

  Names& names_;
  std::vector<Range> ranges_;
  std::optional<ReportedBlock> block_;
  std::map<std::uint64_t, std::size_t> numbers_;
};

}  // namespace norn
