#include "exec/sequences.hpp"

#include <map>

#include "trace/alternative.hpp"

namespace norn::exec {
namespace {

using nlohmann::json;
using reachability::SequenceTree;

/// -1 where there is nothing.
std::int64_t number_or_nothing(std::uint32_t number) {
  return number == reachability::none ? std::int64_t{-1} : number;
}

class Writer {
 public:
  explicit Writer(const ThreadNames& names) : names_(names) {}

  json write(const SequenceTree& tree) {
    json sequences = json::array();
    for (const SequenceTree::Sequence& sequence : tree.sequences()) sequences.push_back(describe(sequence));
    return {{"parts", parts_}, {"sequences", sequences}, {"runs", tree.runs()}};
  }

 private:
  std::size_t number_of(const SequenceTree::Part& part) {
    static constexpr const char* kinds[] = {"on-object", "on-thread", "call", "message", "state"};
    const auto [entry, is_new] = numbers_.try_emplace(part, parts_.size());
    if (is_new)
      parts_.push_back({{"kind", kinds[static_cast<unsigned>(part.kind)]},
                        {"thread", part.thread == no_thread ? "" : names_.name(part.thread)},
                        {"operation", name(part.op)},
                        {"alternative", alternative_of(part)},
                        {"object", reinterpret_cast<std::uintptr_t>(part.object)},
                        {"number", part.number},
                        {"site", reinterpret_cast<std::uintptr_t>(part.site)}});
    return entry->second;
  }

  [[nodiscard]] std::string alternative_of(const SequenceTree::Part& part) const {
    return part.kind == SequenceTree::Part::Kind::call ? alternative_text(part.op, part.alternative, names_) : "-";
  }

  json describe(const SequenceTree::Sequence& sequence) {
    json columns = json::array();
    for (const SequenceTree::Column& column : sequence.columns) {
      json race_set = json::array();
      for (const SequenceTree::Part& part : column.race_set) race_set.push_back(number_of(part));
      columns.push_back({number_of(column.receiving), number_of(column.partner), race_set});
    }
    json rows = json::array();
    for (const SequenceTree::Row& row : sequence.rows) rows.push_back({row.changes, row.sequences});
    return {{"parent", number_or_nothing(sequence.parent)},
            {"row", number_or_nothing(sequence.row)},
            {"end", sequence.is_partial             ? ""
                    : sequence.end == End::finished ? "ok"
                                                    : kind(sequence.end)},
            {"columns", columns},
            {"rows", rows},
            {"columns_in_all", sequence.columns_in_all},
            {"rows_in_all", sequence.rows_in_all}};
  }

  const ThreadNames& names_;
  std::map<SequenceTree::Part, std::size_t> numbers_;
  json parts_ = json::array();
};

}  // namespace

json sequences_json(const SequenceTree& tree, const ThreadNames& names) { return Writer(names).write(tree); }

void add_places(json& sequences, const json& run) {
  std::map<std::uint64_t, json> stacks;
  for (const json& event : run.at("events")) {
    const auto [entry, is_new] = stacks.try_emplace(event.at("site").get<std::uint64_t>(), event.at("stack"));
    if (!is_new && entry->second != event.at("stack")) entry->second = nullptr;
  }
  for (const auto& [site, stack] : stacks)
    if (!stack.is_null()) sequences["stacks"].push_back({site, stack});
  for (const json& frame : run.at("frames")) sequences["frames"].push_back(frame);
}

}  // namespace norn::exec
