#pragma once

// What valid rows and combinations are, by definition: the rules of section 4.2 of Lei, Carver, Kacker and Kung, *A
// combinatorial testing strategy for concurrent programs*, word by word; and whether a table covers all of them. Shares
// nothing with what makes tables but the columns, so it can judge that (in tests, and with `--check-tables`).

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "explore/reachability/race_table.hpp"

namespace norn::reachability::t_way {

using TableRow = std::vector<int>;
using Table = std::vector<TableRow>;

/// Values of some columns: pairs of a column and its value, in order.
using Combination = std::vector<std::pair<std::size_t, int>>;

inline int race_set_size(const Column& column) { return static_cast<int>(column.race_set.size()); }

inline bool satisfies_rule_1(const Combination& c) {
  return std::any_of(c.begin(), c.end(), [](const auto& it) { return it.second > 0; });
}

/// c[i] = -1 if and only if there is an index j such that c[j] > 0 and r_j is in the control structure of r_i.
inline bool satisfies_rule_2(const std::vector<Column>& columns, const Combination& c) {
  for (const auto& [i, value] : c) {
    bool is_removed = false;
    for (const auto& [j, other] : c) is_removed = is_removed || (other > 0 && columns[i].structure.has(j));
    if ((value == -1) != is_removed) return false;
  }
  return true;
}

/// If c[i] > 0, there is no index j such that c[j] > 0 and r_j is in the control structure of the new partner of r_i.
inline bool satisfies_rule_3(const std::vector<Column>& columns, const Combination& c) {
  for (const auto& [i, value] : c) {
    if (value <= 0) continue;
    const Columns& partner = columns[i].race_set[static_cast<std::size_t>(value) - 1];
    for (const auto& [j, other] : c)
      if (other > 0 && partner.has(j)) return false;
  }
  return true;
}

inline bool is_valid(const std::vector<Column>& columns, const Combination& c) {
  return satisfies_rule_1(c) && satisfies_rule_2(columns, c) && satisfies_rule_3(columns, c);
}

inline bool is_valid_row(const std::vector<Column>& columns, const TableRow& row) {
  if (row.size() != columns.size()) return false;
  Combination all;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] < -1 || row[i] > race_set_size(columns[i])) return false;
    all.emplace_back(i, row[i]);
  }
  return is_valid(columns, all);
}

/// Calls `visit` with each set of `size` columns.
template <typename Visit>
void for_each_choice(std::size_t columns, std::size_t size, const Visit& visit) {
  std::vector<bool> is_chosen(columns, false);
  std::fill_n(is_chosen.begin(), size, true);
  do {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < columns; ++i)
      if (is_chosen[i]) chosen.push_back(i);
    visit(chosen);
  } while (std::prev_permutation(is_chosen.begin(), is_chosen.end()));
}

/// Calls `visit` with each combination of values of these columns, valid or not, and its number.
template <typename Visit>
void for_each_tuple(const std::vector<Column>& columns, const std::vector<std::size_t>& chosen, const Visit& visit) {
  Combination c;
  for (const std::size_t i : chosen) c.emplace_back(i, -1);
  for (std::size_t number = 0;; ++number) {
    visit(c, number);
    std::size_t k = c.size();
    while (k > 0 && c[k - 1].second == race_set_size(columns[c[k - 1].first])) c[--k].second = -1;
    if (k == 0) return;
    ++c[k - 1].second;
  }
}

/// Generates everything and drops what is not valid.
inline Table all_valid_rows(const std::vector<Column>& columns) {
  Table rows;
  std::vector<std::size_t> all(columns.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  for_each_tuple(columns, all, [&](const Combination& c, std::size_t) {
    if (!is_valid(columns, c)) return;
    TableRow& row = rows.emplace_back();
    for (const auto& it : c) row.push_back(it.second);
  });
  return rows;
}

/// What a table covers, and what is wrong with it.
struct Coverage {
  std::size_t valid = 0;                 ///< combinations
  std::size_t most_of_some_columns = 0;  ///< valid combinations of the same t columns: no table has fewer rows
  std::vector<Combination> missing;      ///< valid ones that are in no row
  Table invalid;                         ///< rows
  std::size_t repeated = 0;              ///< rows

  [[nodiscard]] bool is_complete() const { return missing.empty() && invalid.empty() && repeated == 0; }
};

/// The numbers of the combinations of these columns that occur in the rows.
inline std::vector<bool> occurring(const std::vector<Column>& columns, const std::vector<std::size_t>& chosen,
                                   const Table& rows) {
  std::size_t count = 1;
  for (const std::size_t i : chosen) count *= columns[i].race_set.size() + 2;
  std::vector<bool> occurs(count, false);
  for (const TableRow& row : rows) {
    std::size_t number = 0;
    for (const std::size_t i : chosen)
      number = number * (columns[i].race_set.size() + 2) + static_cast<std::size_t>(row[i] + 1);
    occurs[number] = true;
  }
  return occurs;
}

/// Looks at every set of t columns (or all, if there are fewer) and every combination of their values.
inline Coverage check_coverage(const std::vector<Column>& columns, std::size_t t, const Table& rows) {
  Coverage found;
  Table valid_rows;
  for (const TableRow& row : rows) (is_valid_row(columns, row) ? valid_rows : found.invalid).push_back(row);
  Table sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  found.repeated = static_cast<std::size_t>(sorted.end() - std::unique(sorted.begin(), sorted.end()));
  for_each_choice(columns.size(), std::min(t, columns.size()), [&](const std::vector<std::size_t>& chosen) {
    const std::vector<bool> occurs = occurring(columns, chosen, valid_rows);
    std::size_t valid = 0;
    for_each_tuple(columns, chosen, [&](const Combination& c, std::size_t number) {
      if (!is_valid(columns, c)) return;
      ++valid;
      if (!occurs[number]) found.missing.push_back(c);
    });
    found.valid += valid;
    found.most_of_some_columns = std::max(found.most_of_some_columns, valid);
  });
  return found;
}

/// For whoever reads that a test has failed.
inline std::string describe(const Coverage& found) {
  std::string text = std::to_string(found.missing.size()) + " missing, " + std::to_string(found.invalid.size()) +
                     " invalid, " + std::to_string(found.repeated) + " repeated";
  if (found.missing.empty()) return text;
  text += "; missing:";
  for (const auto& [i, value] : found.missing.front())
    text += " r" + std::to_string(i + 1) + "." + std::to_string(value);
  return text;
}

}  // namespace norn::reachability::t_way
