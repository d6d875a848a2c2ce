#include "explore/reachability/t_way_table.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <numeric>
#include <queue>

namespace norn::reachability {
namespace {

constexpr int dont_care = INT_MIN;

class Bits {
 public:
  explicit Bits(std::size_t size = 0) : words_(size / 64 + 1) {}
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
  void put(std::size_t i, bool is_there) {
    words_[i / 64] = (words_[i / 64] & ~(std::uint64_t{1} << i % 64)) | std::uint64_t{is_there} << i % 64;
  }
  void add(const Bits& others) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others.words_[i];
  }
  void make_room(std::size_t i) { words_.resize(std::max(words_.size(), i / 64 + 1)); }
  [[nodiscard]] bool has(std::size_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
  [[nodiscard]] const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

/// A value of a column: what the paper writes r.v.
struct Outcome {
  std::size_t column;  ///< its place in the heading
  int value;
};

std::size_t index_of(int value) { return static_cast<std::size_t>(value) + 1; }

/// A topological order of the columns: whatever depends on a dependent of an event depends on the event too, so that an
/// event has more dependents than any of them has. Columns that make many rows necessary come early, so that these rows
/// have room for the others.
std::vector<std::size_t> heading_of(const std::vector<Column>& columns) {
  std::vector<std::size_t> dependents(columns.size(), 0);
  for (const Column& column : columns)
    for (std::size_t i = 0; i < columns.size(); ++i) dependents[i] += column.structure.has(i) ? 1 : 0;
  std::vector<std::size_t> heading(columns.size());
  std::iota(heading.begin(), heading.end(), 0);
  std::stable_sort(heading.begin(), heading.end(), [&](std::size_t a, std::size_t b) {
    if (dependents[a] != dependents[b]) return dependents[a] > dependents[b];
    return columns[a].race_set.size() > columns[b].race_set.size();
  });
  return heading;
}

/// The rules 2 and 3, as outcomes that exclude each other. All outcomes have numbers, in the order of the heading; 0 is
/// the number of no outcome.
class Rules {
 public:
  explicit Rules(const std::vector<Column>& columns) : columns_(columns), heading_(heading_of(columns)) {
    std::size_t end = 1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      first_.push_back(end);
      end += column(i).race_set.size() + 2;
    }
    excluded_.assign(end, Bits(end));
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (int v = 1; v <= most(i); ++v) add({i, v});
  }

  [[nodiscard]] const std::vector<std::size_t>& heading() const { return heading_; }
  [[nodiscard]] std::size_t numbers() const { return excluded_.size(); }
  [[nodiscard]] std::size_t number(Outcome o) const { return first_[o.column] + index_of(o.value); }
  [[nodiscard]] int most(std::size_t i) const { return static_cast<int>(column(i).race_set.size()); }
  [[nodiscard]] bool depends(std::size_t i, std::size_t on) const { return column(i).structure.has(heading_[on]); }
  [[nodiscard]] const Bits& excluded_by(Outcome o) const { return excluded_[number(o)]; }

  /// Whether an outcome can be added to others, given what they exclude. An event is removed if and only if it can not
  /// be left unchanged: what excludes that is a change that it depends on.
  [[nodiscard]] bool permit(const Bits& excluded, Outcome o) const {
    return o.value == -1 ? excluded.has(number({o.column, 0})) : !excluded.has(number(o));
  }

 private:
  [[nodiscard]] const Column& column(std::size_t i) const { return columns_[heading_[i]]; }

  void add(Outcome change) {
    const Columns& partner = column(change.column).race_set[static_cast<std::size_t>(change.value) - 1];
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool is_removed = depends(i, change.column);
      if (is_removed) exclude(change, {i, 0});
      for (int v = 1; v <= most(i); ++v)
        if (is_removed || partner.has(heading_[i])) exclude(change, {i, v});
    }
  }
  void exclude(Outcome a, Outcome b) {
    excluded_[number(a)].add(number(b));
    excluded_[number(b)].add(number(a));
  }

  const std::vector<Column>& columns_;
  std::vector<std::size_t> heading_;
  std::vector<std::size_t> first_;  ///< number of each column
  std::vector<Bits> excluded_;
};

/// The combinations that are not covered yet (the paper's pi). They have one outcome of the column that is added to the
/// table, and t - 1 earlier ones: the last of these is a bit in a set, so that many are looked at at once, and those
/// before it are digits of a number, their rank.
class Missing {
 public:
  /// `base`: the number of the first outcome of the column.
  Missing(std::size_t base, std::size_t digits, int most)
      : base_(base), words_(base / 64 + 1), values_(index_of(most) + 1) {
    std::size_t ranks = 1;
    for (; digits != 0; --digits) ranks *= base;
    any_.resize(ranks * words_);
    with_.resize(ranks * words_ * values_);
  }

  [[nodiscard]] std::size_t base() const { return base_; }
  [[nodiscard]] bool is_empty() const { return count_ == 0; }
  [[nodiscard]] bool has(std::size_t rank, std::size_t last, int value) const {
    return (word(rank * words_ + last / 64, value) >> last % 64 & 1) != 0;
  }
  void add(std::size_t rank, std::size_t last, int value) {
    const std::size_t at = rank * words_ + last / 64;
    any_[at] |= std::uint64_t{1} << last % 64;
    word(at, value) |= std::uint64_t{1} << last % 64;
    ++count_;
  }

  /// How many a row with these outcomes would cover, for each value of the column.
  void count(const std::vector<std::size_t>& ranks, const Bits& outcomes, std::vector<std::size_t>& counts) const {
    counts.assign(values_, 0);
    for_each_word(ranks, outcomes, [&](std::size_t at, std::uint64_t lasts) {
      for (std::size_t v = 0; v < values_; ++v) counts[v] += popcount(with_[at * values_ + v] & lasts);
    });
  }

  void remove(const std::vector<std::size_t>& ranks, const Bits& outcomes, int value) {
    for_each_word(ranks, outcomes, [&](std::size_t at, std::uint64_t lasts) {
      count_ -= popcount(word(at, value) & lasts);
      word(at, value) &= ~lasts;
      any_[at] = 0;
      for (std::size_t v = 0; v < values_; ++v) any_[at] |= with_[at * values_ + v];
    });
  }

 private:
  /// What std::popcount calls a function of the compiler's library for.
  static std::size_t popcount(std::uint64_t word) {
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    return ((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56;
  }
  [[nodiscard]] std::uint64_t& word(std::size_t at, int value) { return with_[at * values_ + index_of(value)]; }
  [[nodiscard]] std::uint64_t word(std::size_t at, int value) const { return with_[at * values_ + index_of(value)]; }

  /// Most is covered soon, and need not be looked at any more.
  template <typename Visit>
  void for_each_word(const std::vector<std::size_t>& ranks, const Bits& outcomes, const Visit& visit) const {
    for (const std::size_t rank : ranks)
      for (std::size_t i = 0; i < words_; ++i)
        if (const std::uint64_t lasts = any_[rank * words_ + i] & outcomes.words()[i]) visit(rank * words_ + i, lasts);
  }

  std::size_t base_;
  std::size_t words_;  ///< of a set of outcomes
  std::size_t values_;
  std::vector<std::uint64_t> any_;   ///< with any value of the column
  std::vector<std::uint64_t> with_;  ///< with each
  std::size_t count_ = 0;
};

/// A row whose values need not be known yet.
struct PartialRow {
  std::size_t index;
  std::vector<int> values;
  Bits outcomes;  ///< its values
  Bits excluded;  ///< by its values
};

/// A value for the column that is added to a row.
struct Extension {
  std::size_t covered;  ///< combinations
  std::size_t row;
  int value;

  bool operator<(const Extension& other) const {
    return covered != other.covered ? covered < other.covered : row > other.row;
  }
};

class TWayTable {
 public:
  TWayTable(const std::vector<Column>& columns, std::size_t t)
      : t_(t),
        rules_(columns),
        columns_(columns.size()),
        possible_(rules_.numbers()),
        excluded_(t + 1, Bits(rules_.numbers())) {}

  /// ConstructRaceTable.
  std::vector<std::vector<int>> construct() {
    for_each_combination(t_, t_, [this] {
      if (has_change()) add_row();
    });
    for (std::size_t i = t_; i < columns_; ++i) {
      Missing missing = find_missing(i);
      grow_horizontally(i, missing);
      grow_vertically(i, missing);
    }
    std::vector<std::vector<int>> table;
    for (const PartialRow& row : rows_) table.push_back(resolve(row));
    return table;
  }

 private:
  /// Calls `visit` for every combination_ of `size` columns before `end` that satisfies the rules 2 and 3.
  template <typename Visit>
  void for_each_combination(std::size_t size, std::size_t end, const Visit& visit) {
    const std::size_t k = combination_.size();
    if (k == size) return visit();
    for (std::size_t i = k == 0 ? 0 : combination_.back().column + 1; i + (size - k) <= end; ++i)
      for (int v = -1; v <= rules_.most(i); ++v) {
        if (!rules_.permit(excluded_[k], {i, v})) continue;
        excluded_[k + 1] = excluded_[k];
        excluded_[k + 1].add(rules_.excluded_by({i, v}));
        combination_.push_back({i, v});
        for_each_combination(size, end, visit);
        combination_.pop_back();
      }
  }

  /// Rule 1.
  [[nodiscard]] bool has_change() const {
    return std::any_of(combination_.begin(), combination_.end(), [](Outcome o) { return o.value > 0; });
  }
  [[nodiscard]] std::size_t last() const { return combination_.empty() ? 0 : rules_.number(combination_.back()); }
  /// Of all but the last.
  [[nodiscard]] std::size_t rank(std::size_t base) const {
    std::size_t rank = 0;
    for (std::size_t k = 0; k + 1 < combination_.size(); ++k) rank = rank * base + rules_.number(combination_[k]);
    return rank;
  }

  /// Line 7 of the figure.
  Missing find_missing(std::size_t i) {
    Missing missing(rules_.number({i, -1}), std::max<std::size_t>(t_, 2) - 2, rules_.most(i));
    for_each_combination(t_ - 1, i, [&] {
      const bool is_change = has_change();
      for (int v = -1; v <= rules_.most(i); ++v)
        if ((is_change || v > 0) && rules_.permit(excluded_[t_ - 1], {i, v}))
          missing.add(rank(missing.base()), last(), v);
    });
    return missing;
  }

  /// Lines 8 to 10. Rows whose best values cover most come first: which of them these are changes as they are extended,
  /// but none covers more than it did before.
  void grow_horizontally(std::size_t i, Missing& missing) {
    for (const PartialRow& row : rows_)
      if (row.values[i] != dont_care) missing.remove(ranks_of(row, i, missing.base()), row.outcomes, row.values[i]);
    std::priority_queue<Extension> queue;
    const auto push = [&queue](const Extension& extension) {
      // A value that covers nothing new can be chosen later.
      if (extension.covered != 0) queue.push(extension);
    };
    for (const PartialRow& row : rows_)
      if (row.values[i] == dont_care) push(best_extension(row, i, missing));
    while (!queue.empty()) {
      PartialRow& row = rows_[queue.top().row];
      queue.pop();
      const Extension best = best_extension(row, i, missing);
      if (best.covered == 0 || (!queue.empty() && best < queue.top())) {
        push(best);
        continue;
      }
      set(row, {i, best.value});
      settle(row);
      missing.remove(ranks_of(row, i, missing.base()), row.outcomes, best.value);
    }
  }

  Extension best_extension(const PartialRow& row, std::size_t i, const Missing& missing) {
    Extension best{0, row.index, dont_care};
    missing.count(ranks_of(row, i, missing.base()), row.outcomes, counts_);
    for (int v = 0; v <= rules_.most(i); ++v) {
      const std::size_t covered = counts_[index_of(v)];
      if (covered > best.covered && rules_.permit(row.excluded, {i, v})) best = {covered, row.index, v};
    }
    return best;
  }

  /// Lines 11 to 16.
  void grow_vertically(std::size_t i, Missing& missing) {
    if (missing.is_empty()) return;
    for_each_combination(t_ - 1, i, [&] {
      const std::size_t others = rank(missing.base());
      const std::size_t last_other = last();
      for (int v = -1; v <= rules_.most(i); ++v) {
        if (!missing.has(others, last_other, v)) continue;
        combination_.push_back({i, v});
        const PartialRow& row = cover();
        combination_.pop_back();
        missing.remove(ranks_of(row, i, missing.base()), row.outcomes, v);
      }
    });
  }

  /// Changes a row so that it covers the combination, or adds one.
  const PartialRow& cover() {
    const std::size_t index = find_row();
    if (index == rows_.size()) return add_row();
    PartialRow& row = rows_[index];
    for (const Outcome o : combination_)
      if (row.values[o.column] == dont_care) set(row, o);
    settle(row);
    return row;
  }

  /// The first row that has, or could be given, every outcome of the combination. It could be given all of them then:
  /// they do not exclude each other, and what is removed depends on a change that is among them.
  [[nodiscard]] std::size_t find_row() const {
    for (std::size_t word = 0; word * 64 < rows_.size(); ++word) {
      std::uint64_t rows = UINT64_MAX;
      for (const Outcome o : combination_) rows &= possible_[rules_.number(o)].words()[word];
      if (rows != 0) return word * 64 + static_cast<std::size_t>(std::countr_zero(rows));
    }
    return rows_.size();
  }

  const PartialRow& add_row() {
    for (Bits& rows : possible_) rows.make_room(rows_.size());
    rows_.push_back(
        {rows_.size(), std::vector<int>(columns_, dont_care), Bits(rules_.numbers()), Bits(rules_.numbers())});
    PartialRow& row = rows_.back();
    row.outcomes.add(0);
    for (const Outcome o : combination_) set(row, o);
    settle(row);
    return row;
  }

  void set(PartialRow& row, Outcome o) const {
    row.values[o.column] = o.value;
    row.outcomes.add(rules_.number(o));
    row.excluded.add(rules_.excluded_by(o));
  }

  /// Gives their values to columns that have only one left, and notes what is possible for the others.
  void settle(PartialRow& row) {
    for (std::size_t i = 0; i < columns_; ++i) {
      if (row.values[i] == dont_care && rules_.permit(row.excluded, {i, -1})) set(row, {i, -1});
      if (row.values[i] == dont_care && !can_change(row, i) && !can_be_removed(row, i)) set(row, {i, 0});
    }
    for (std::size_t i = 0; i < columns_; ++i)
      for (int v = -1; v <= rules_.most(i); ++v) {
        const bool is_open = row.values[i] == dont_care && (v == -1 || rules_.permit(row.excluded, {i, v}));
        possible_[rules_.number({i, v})].put(row.index, row.values[i] == v || is_open);
      }
  }

  [[nodiscard]] bool can_change(const PartialRow& row, std::size_t i) const {
    for (int v = 1; v <= rules_.most(i); ++v)
      if (row.values[i] == dont_care && rules_.permit(row.excluded, {i, v})) return true;
    return false;
  }
  [[nodiscard]] bool can_be_removed(const PartialRow& row, std::size_t i) const {
    for (std::size_t j = 0; j < i; ++j)
      if (rules_.depends(i, j) && can_change(row, j)) return true;
    return false;
  }

  /// Of all t - 2 outcomes that the row has before column `end`.
  const std::vector<std::size_t>& ranks_of(const PartialRow& row, std::size_t end, std::size_t base) {
    found_.clear();
    find_ranks(row, 0, end, base, 2, 0);
    return found_;
  }
  void find_ranks(const PartialRow& row, std::size_t begin, std::size_t end, std::size_t base, std::size_t k,
                  std::size_t rank) {
    if (k >= t_) return found_.push_back(rank);
    for (std::size_t i = begin; i < end; ++i) {
      // Nothing in a combination removes what comes first.
      if (row.values[i] == dont_care || (k == 2 && row.values[i] == -1)) continue;
      const std::size_t longer = rank * base + rules_.number({i, row.values[i]});
      k + 1 == t_ ? found_.push_back(longer) : find_ranks(row, i + 1, end, base, k + 1, longer);
    }
  }

  /// What nobody cares about stays as it is.
  [[nodiscard]] std::vector<int> resolve(const PartialRow& row) const {
    std::vector<int> values(columns_);
    for (std::size_t i = 0; i < columns_; ++i)
      values[rules_.heading()[i]] = row.values[i] == dont_care ? 0 : row.values[i];
    return values;
  }

  std::size_t t_;
  Rules rules_;
  std::size_t columns_;
  std::vector<PartialRow> rows_;
  std::vector<Bits> possible_;        ///< for each outcome: the rows that have it or could be given it
  std::vector<Outcome> combination_;  ///< that is looked at
  std::vector<Bits> excluded_;        ///< by so many of its outcomes
  std::vector<std::size_t> found_;    ///< ranks
  std::vector<std::size_t> counts_;   ///< for each value
};

}  // namespace

std::vector<std::vector<int>> t_way_rows(const std::vector<Column>& columns, unsigned t) {
  const std::size_t size = std::min<std::size_t>(t, columns.size());
  return size == 0 ? std::vector<std::vector<int>>() : TWayTable(columns, size).construct();
}

}  // namespace norn::reachability
