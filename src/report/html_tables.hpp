#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/names.hpp"

namespace norn {

/// What the runs of a page have in common, each thing once: places, call stacks, and the source around the places.
class HtmlTables {
 public:
  /// The number of a place; -1 if it is not known.
  int place(const Place& place);
  /// The number of a call stack; -1 if it is empty.
  int stack(const std::vector<Place>& stack);

  [[nodiscard]] nlohmann::json places() const;
  [[nodiscard]] nlohmann::json stacks() const { return stacks_; }
  /// By file and number: the lines around all places, as far as the files can be read.
  [[nodiscard]] nlohmann::json sources() const;

 private:
  using Key = std::tuple<std::string, int, std::string, bool>;

  std::map<Key, int> numbers_;
  std::vector<Place> places_;
  std::map<std::vector<int>, int> stack_numbers_;
  std::vector<std::vector<int>> stacks_;
};

}  // namespace norn
