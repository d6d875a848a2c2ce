// GenerateVariants (figure 10): which variants a sequence has that are not variants of others.

#include <algorithm>
#include <numeric>

#include "explore/reachability/heading.hpp"
#include "explore/reachability/reachability.hpp"
#include "explore/reachability/t_way_coverage.hpp"
#include "explore/reachability/t_way_table.hpp"
#include "support/hash.hpp"
#include "support/mathematics.hpp"

namespace norn::reachability {
namespace {

/// Whether rows can be selected. If there are too many combinations, all rows are made one after the other instead, for
/// which there is always room.
bool are_few_combinations(const std::vector<Column>& columns, std::size_t t) {
  constexpr double most = 1e7;
  const auto add = [](double sum, const Column& column) {
    return sum + static_cast<double>(column.race_set.size() + 2);
  };
  if (columns.empty()) return true;
  const double outcomes = std::accumulate(columns.begin(), columns.end(), 0.0, add);
  return power(outcomes, static_cast<double>(std::min(t, columns.size()))) <= most * outcomes * outcomes;
}

}  // namespace

bool Reachability::advance() {
  for (;;) {
    if (frames_.empty() && !begin_piece()) return false;
    Frame& last = frames_.back();
    is_cut_ = last.cuts.next(last.sequence);
    if (is_cut_) return true;
    if (!last.variants.empty()) {
      changes_ = std::move(last.variants.back());
      last.variants.pop_back();
      attempt_ = std::exchange(last.attempt, {});
      variant_ = derive(last.sequence, changes_);
      // So that it is the same run whatever this process did before.
      seed_ = combine(last.seed, ++last.exercised);
      return true;
    }
    if (const std::optional<std::vector<int>> row = next_row(last)) {
      if (draws_) tree_.begin_row(last.number, *row);
      last.changed = changes_of(last.heading, *row);
      find_variants(last);
    } else {
      frames_.pop_back();
    }
  }
}

void Reachability::find_variants(Frame& frame) const {
  frame.variants.clear();
  std::optional<std::vector<Change>> row = with_one_end(frame.sequence, frame.changed);
  if (!row) return;
  frame.variants = without_contradictions(frame.sequence, std::move(*row));
  const std::size_t count = frame.variants.size();
  if (t_ != 0 || has_end(frame.sequence, frame.changed)) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<Changes> ended = with_ends(frame.sequence, frame.variants[i]);
    frame.variants.insert(frame.variants.end(), ended.begin(), ended.end());
  }
}

std::optional<std::vector<int>> Reachability::next_row(Frame& frame) const {
  if (t_ == 0 || frame.has_all_rows) return frame.table.next() ? std::optional(frame.table.row()) : std::nullopt;
  if (frame.rows.empty()) return std::nullopt;
  std::vector<int> row = std::move(frame.rows.back());
  frame.rows.pop_back();
  return row;
}

void Reachability::make_table(Frame& frame) {
  frame.heading = heading_of(frame.sequence);
  std::vector<Column> columns = columns_of(frame.sequence, frame.heading);
  table_size_.first = columns.size();
  for (const Column& column : columns) table_size_.second += column.race_set.size();
  frame.has_all_rows = t_ != 0 && !are_few_combinations(columns, t_);
  if (t_ == 0 || frame.has_all_rows) {
    frame.table = RaceTable(std::move(columns));
    tables_ += frame.has_all_rows ? 1 : 0;
    return;
  }
  frame.rows = t_way_rows(columns, t_);
  if (forgets_ && !frame.rows.empty()) frame.rows.pop_back();
  if (checks_tables_) check(columns, frame.rows);
}

void Reachability::check(const std::vector<Column>& columns, const std::vector<std::vector<int>>& rows) {
  const t_way::Coverage found = t_way::check_coverage(columns, t_, rows);
  ++tables_;
  if (!found.is_complete()) faulty_table_ = t_way::describe(found);
}

void Reachability::prune(const SynSequence& sequence, Receiving& r) const {
  const Variant::OnObject* object = r.is_on_thread() ? nullptr : variant_.find(r.object);
  r.is_black = r.index < variant_.of(r.thread).black || (object != nullptr && r.order < object->black);
  if (forgets_) r.is_black = false;
  const auto is_old_too = [&](const Sending& s) { return is_old(r, s); };
  std::vector<Sending> left;
  for (const Sending& s : r.race_set) {
    // One that is the same as another stands for it, and if one is old, so is the other.
    const auto is_same = [&](const Sending& other) { return reductions_.are_the_same(sequence, s, other); };
    const bool is_known = is_old_too(s) || reductions_.ignores(sequence, r, s) ||
                          std::any_of(left.begin(), left.end(), is_same) ||
                          std::any_of(r.race_set.begin(), r.race_set.end(),
                                      [&](const Sending& other) { return is_same(other) && is_old_too(other); });
    if (!is_known) left.push_back(s);
  }
  r.race_set = std::move(left);
}

bool Reachability::is_old(const Receiving& r, const Sending& s) const {
  const auto is_it = [&](const Ending& ending) { return ending.is_same(step_of(r, s)); };
  if (std::any_of(variant_.endings.begin(), variant_.endings.end(), is_it)) return true;
  if (r.is_look) return r.index < variant_.of(r.thread).events && variant_.has_state(r.object, s.order);
  if (r.is_message) return r.index < variant_.of(r.thread).events && variant_.has_message(s.sender, s.port, s.order);
  if (!forgets_ && s.index < variant_.of(s.sender).black) return true;
  if (!variant_.has_call(s.sender, s.index, s.op)) return false;
  // Where somebody looks, the next change could have been there although nobody had made it.
  if (can_look(s.op)) return variant_.has_state(r.object, r.order);
  const Variant::OnObject* object = variant_.find(r.object);
  return object != nullptr && r.order < object->partners.size();
}

}  // namespace norn::reachability
