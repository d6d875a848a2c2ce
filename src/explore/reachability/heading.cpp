#include "explore/reachability/heading.hpp"

namespace norn::reachability {

std::vector<std::uint32_t> heading_of(const SynSequence& sequence) {
  std::vector<std::uint32_t> heading;
  for (std::uint32_t i = 0; i < sequence.receiving.size(); ++i)
    if (!sequence.receiving[i].is_black && !sequence.receiving[i].race_set.empty()) heading.push_back(i);
  return heading;
}

std::vector<Column> columns_of(const SynSequence& sequence, const std::vector<std::uint32_t>& heading) {
  const auto columns_in = [&](Row structure) {
    Columns columns(heading.size());
    for (std::size_t i = 0; i < heading.size(); ++i)
      if (sequence.contains(structure, sequence.receiving[heading[i]])) columns.add(i);
    return columns;
  };
  std::vector<Column> columns;
  for (const std::uint32_t i : heading) {
    const Receiving& r = sequence.receiving[i];
    Column& column = columns.emplace_back();
    column.structure = columns_in(r.structure);
    for (const Sending& s : r.race_set) column.race_set.push_back(columns_in(s.structure));
  }
  return columns;
}

std::vector<Change> changes_of(const std::vector<std::uint32_t>& heading, const std::vector<int>& row) {
  std::vector<Change> changes;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] > 0) changes.push_back({heading[i], static_cast<std::uint32_t>(row[i] - 1)});
  return changes;
}

}  // namespace norn::reachability
