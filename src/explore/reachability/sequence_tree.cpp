#include "explore/reachability/sequence_tree.hpp"

#include <algorithm>

namespace norn::reachability {
namespace {

using Part = SequenceTree::Part;

/// Where the events of a run come from.
class Sites {
 public:
  explicit Sites(const Trace& trace) {
    for (const Event& event : trace.events) {
      if (event.thread >= threads_.size()) threads_.resize(event.thread + std::size_t{1});
      threads_[event.thread].push_back(event.site);
    }
  }
  /// Of the event of a thread with so many before it; nullptr if it did not happen.
  [[nodiscard]] const void* at(ThreadId thread, std::uint32_t index) const {
    return thread < threads_.size() && index < threads_[thread].size() ? threads_[thread][index] : nullptr;
  }

 private:
  std::vector<std::vector<const void*>> threads_;
};

Part receiving_part(const Receiving& r, const Sites& sites) {
  if (!r.is_on_thread()) return {Part::Kind::on_object, no_thread, Op::none, 0, r.object, r.order, nullptr};
  // How it turns out is not the same in all states that it could see, but what it is.
  const Op op = r.is_message ? Op::receive : r.race_set.front().op;
  return {Part::Kind::on_thread, r.thread, op, 0, r.object, r.index, sites.at(r.thread, r.index)};
}

Part sending_part(const Receiving& r, const Sending& s, const Sites& sites) {
  if (r.is_message) return {Part::Kind::message, s.sender, Op::send, 0, s.port, s.order, nullptr};
  if (r.is_look) return {Part::Kind::state, s.sender, s.op, 0, r.object, s.order, nullptr};
  return {Part::Kind::call, s.sender, s.op, s.alternative, r.object, s.index, sites.at(s.sender, s.index)};
}

Part partner_part(const Receiving& r, const Sites& sites) {
  if (!r.changes_instead) return sending_part(r, r.partner, sites);
  return {Part::Kind::call, r.thread, r.race_set.front().op, 0, r.object, r.index, sites.at(r.thread, r.index)};
}

}  // namespace

std::uint32_t SequenceTree::add(std::uint32_t parent, const Trace& trace, bool is_partial) {
  const bool has_parent = parent != none;
  const bool is_first = runs_++ == 0;
  if ((!has_parent && !is_first) || sequences_.size() == most_sequences) return none;
  const auto number = static_cast<std::uint32_t>(sequences_.size());
  Sequence sequence{parent, none, trace.end(), is_partial};
  if (has_parent) {
    Sequence& from = sequences_[parent];
    if (!from.rows.empty() && from.rows.size() == from.rows_in_all) {
      sequence.row = static_cast<std::uint32_t>(from.rows.size() - 1);
      from.rows.back().sequences.push_back(number);
    }
  }
  sequences_.push_back(std::move(sequence));
  return number;
}

void SequenceTree::set_columns(std::uint32_t number, const SynSequence& sequence,
                               const std::vector<std::uint32_t>& heading, const Trace& trace) {
  if (number == none) return;
  const Sites sites(trace);
  sequences_[number].columns_in_all = heading.size();
  for (const std::uint32_t i : std::span(heading).first(std::min(heading.size(), most_columns))) {
    const Receiving& r = sequence.receiving[i];
    Column& column = sequences_[number].columns.emplace_back();
    column.receiving = receiving_part(r, sites);
    column.partner = partner_part(r, sites);
    for (const Sending& s : r.race_set) column.race_set.push_back(sending_part(r, s, sites));
  }
}

void SequenceTree::begin_row(std::uint32_t number, const std::vector<int>& changes) {
  if (number == none) return;
  Sequence& sequence = sequences_[number];
  const bool none_is_missing = sequence.rows.size() == sequence.rows_in_all++;
  if (!none_is_missing || rows_ == most_rows || sequences_.size() == most_sequences) return;
  ++rows_;
  const auto kept = std::span(changes).first(sequence.columns.size());
  sequence.rows.push_back({{kept.begin(), kept.end()}});
}

}  // namespace norn::reachability
