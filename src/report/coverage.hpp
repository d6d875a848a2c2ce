#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/names.hpp"

namespace norn {

/// Numbers for lines of the source: the runtime knows them by these.
class LineNumbers {
 public:
  /// Answers the runtime, which asks for the lines of some addresses: the number of each, or 1 if it is in no code of
  /// the user's own.
  nlohmann::json answer(const nlohmann::json& question);

  std::uint32_t number(const std::string& line);
  [[nodiscard]] std::string name(std::uint32_t number) const;
  /// A text in which `#7` stands for line 7: with names instead. Blanks in names become underscores.
  [[nodiscard]] std::string name_all(const std::string& text) const;

 private:
  static constexpr std::uint32_t first = 2;  ///< as exec/locations.hpp has it

  std::unique_ptr<Names> names_;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> lines_;
};

/// What the runtime sent about coverage, with the names of lines: as the summary file has it.
nlohmann::json named_coverage(const nlohmann::json& sent, const LineNumbers& lines);

/// Two lines of the source.
using LinePair = std::pair<std::string, std::string>;

/// What several explorations covered together, kept in a file.
struct CoverageRecord {
  std::string criterion;
  std::uint64_t executions = 0;
  std::set<LinePair> covered;
  std::set<LinePair> uncovered;
  std::uint64_t found_later = 0;  ///< covered, but not estimated
  std::uint64_t infeasible = 0;   ///< combinations of lines that the last estimation rejects

  [[nodiscard]] std::uint64_t estimated() const {
    const std::uint64_t known = covered.size() + uncovered.size();
    return known - std::min(known, found_later);
  }
  /// Adds what one more exploration came to (named_coverage).
  void add(const nlohmann::json& coverage, std::uint64_t executions);
};

/// Throws InputError if there is no such file, or if it is none of Norn's.
CoverageRecord read_coverage(const std::string& file);
/// Either the whole new file is there afterwards or the old one.
void write_coverage(const std::string& file, const CoverageRecord& record);

/// "sync pairs" of "sync-pairs".
std::string words_of(std::string criterion);

/// Uncovered pairs, the most promising first: those whose lines are part of many covered pairs, so that runs often come
/// there.
std::vector<LinePair> most_promising(const CoverageRecord& record);

}  // namespace norn
