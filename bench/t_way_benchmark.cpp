// How large t-way race tables are: against a greedy construction that adds one complete row after the other, as AETG
// does (Cohen et al. 1997), and against what no table can do without.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <ctime>
#include <numeric>
#include <vector>

#include "../tests/unit/t_way_coverage.hpp"
#include "explore/reachability/t_way_table.hpp"
#include "support/random.hpp"

namespace {

using namespace norn::test;

constexpr int undecided = -2;

/// The best of several random rows, each begun with a combination that is not covered and continued with the values
/// that cover most, until everything is covered.
class Greedy {
 public:
  Greedy(const std::vector<Column>& columns, std::size_t t) : columns_(columns), t_(std::min(t, columns.size())) {
    for (const Column& column : columns) {
      first_.push_back(outcomes_);
      outcomes_ += column.race_set.size() + 2;
    }
    std::size_t numbers = 1;
    for (std::size_t k = 0; k < t_; ++k) numbers *= outcomes_;
    is_missing_.assign(numbers, false);
    for_each_choice(columns.size(), t_, [this](const std::vector<std::size_t>& chosen) {
      for_each_tuple(columns_, chosen, [this](const Combination& c, std::size_t) {
        if (is_valid(columns_, c)) add(c);
      });
    });
  }

  Table rows() {
    Table table;
    while (find_seed()) {
      TableRow best;
      std::size_t most = 0;
      for (int i = 0; i < candidates; ++i) {
        find_seed();
        const TableRow row = candidate(missing_.back());
        const std::size_t count = covered(row, nobody, false);
        if (count > most) best = row;
        most = std::max(most, count);
      }
      covered(best, nobody, true);
      table.push_back(best);
    }
    return table;
  }

 private:
  static constexpr int candidates = 50;
  static constexpr std::size_t nobody = SIZE_MAX;

  [[nodiscard]] std::size_t outcome(std::size_t column, int value) const {
    return first_[column] + static_cast<std::size_t>(value + 1);
  }
  [[nodiscard]] std::size_t number(const Combination& c) const {
    std::size_t number = 0;
    for (const auto& [column, value] : c) number = number * outcomes_ + outcome(column, value);
    return number;
  }
  void add(const Combination& c) {
    is_missing_[number(c)] = true;
    missing_.push_back(c);
  }

  /// Moves a combination that is not covered to the end, and forgets those that are; false if there is none.
  bool find_seed() {
    while (!missing_.empty()) {
      std::swap(missing_[random_.below(missing_.size())], missing_.back());
      if (is_missing_[number(missing_.back())]) return true;
      missing_.pop_back();
    }
    return false;
  }

  TableRow candidate(const Combination& seed) {
    TableRow row(columns_.size(), undecided);
    for (const auto& [column, value] : seed) row[column] = value;
    std::vector<std::size_t> order(columns_.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
    for (const std::size_t i : order) {
      remove_dependent(row);
      if (row[i] == undecided) row[i] = best_value(row, i);
    }
    return row;
  }

  void remove_dependent(TableRow& row) const {
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (row[i] == undecided && row[j] > 0 && columns_[i].structure.has(j)) row[i] = -1;
  }

  int best_value(TableRow& row, std::size_t i) {
    int best = 0;
    std::size_t most = 0;
    std::uint64_t equals = 0;
    for (int value = 0; value <= race_set_size(columns_[i]); ++value) {
      if (value > 0 && !can_change(row, i, value)) continue;
      row[i] = value;
      const std::size_t count = covered(row, i, false);
      if (count > most) equals = 0;
      if (count >= most && random_.below(++equals) == 0) best = value;
      most = std::max(most, count);
    }
    return best;
  }

  [[nodiscard]] bool can_change(const TableRow& row, std::size_t i, int value) const {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j == i || row[j] < 0) continue;
      if (columns_[j].structure.has(i)) return false;
      if (row[j] == 0) continue;
      if (columns_[i].race_set[static_cast<std::size_t>(value) - 1].has(j)) return false;
      if (columns_[j].race_set[static_cast<std::size_t>(row[j]) - 1].has(i)) return false;
    }
    return true;
  }

  /// How many combinations the row covers that no row did before, of those that contain column `with`, if there is one.
  std::size_t covered(const TableRow& row, std::size_t with, bool for_good) {
    return covered(row, with, for_good, 0, t_, 0);
  }
  std::size_t covered(const TableRow& row, std::size_t with, bool for_good, std::size_t begin, std::size_t places,
                      std::size_t number) {
    if (places == 0) {
      const bool is_new = is_missing_[number];
      if (for_good) is_missing_[number] = false;
      return is_new ? 1 : 0;
    }
    const bool is_waiting = with != nobody && with >= begin;
    const std::size_t end = is_waiting ? with + 1 : row.size();
    std::size_t count = 0;
    for (std::size_t i = is_waiting && places == 1 ? with : begin; i < end; ++i)
      if (row[i] != undecided)
        count += covered(row, with, for_good, i + 1, places - 1, number * outcomes_ + outcome(i, row[i]));
    return count;
  }

  const std::vector<Column>& columns_;
  std::size_t t_;
  std::vector<std::size_t> first_;
  std::size_t outcomes_ = 0;
  std::vector<bool> is_missing_;
  std::vector<Combination> missing_;
  norn::SplitMix64 random_{1};
};

/// Of the processor: others may have it as well.
double seconds_since(std::clock_t begin) { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; }

/// Averages over random structures: up to 20 receiving events, up to 4 sending events in each race set.
template <unsigned t>
void t_way_tables(benchmark::State& state) {
  constexpr std::uint64_t structures = 30;
  for (auto _ : state) {
    double rows = 0, greedy_rows = 0, at_least = 0, combinations = 0, seconds = 0, greedy_seconds = 0;
    for (std::uint64_t seed = 1; seed <= structures; ++seed) {
      const std::vector<Column> columns = RandomStructure(seed).up_to(20, 4);
      const std::clock_t begin = std::clock();
      const Table table = norn::reachability::t_way_rows(columns, t);
      seconds += seconds_since(begin);
      const std::clock_t greedy_begin = std::clock();
      greedy_rows += static_cast<double>(Greedy(columns, t).rows().size());
      greedy_seconds += seconds_since(greedy_begin);
      const Coverage covered = check_coverage(columns, t, table);
      if (!covered.is_complete()) state.SkipWithError(describe(covered).c_str());
      rows += static_cast<double>(table.size());
      at_least += static_cast<double>(covered.most_of_some_columns);
      combinations += static_cast<double>(covered.valid);
    }
    state.SetIterationTime(seconds / structures);
    state.counters["rows"] = rows / structures;
    state.counters["greedy_rows"] = greedy_rows / structures;
    state.counters["lower_bound"] = at_least / structures;
    state.counters["combinations"] = combinations / structures;
    state.counters["greedy_time"] = greedy_seconds / seconds;
  }
}
BENCHMARK(t_way_tables<1>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(t_way_tables<2>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(t_way_tables<3>)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

/// 40 receiving events, up to 6 sending events in each race set.
template <unsigned t>
void large_t_way_table(benchmark::State& state) {
  const std::vector<Column> columns = RandomStructure(1).exactly(40, 6);
  Table table;
  for (auto _ : state) table = norn::reachability::t_way_rows(columns, t);
  state.counters["rows"] = static_cast<double>(table.size());
}
BENCHMARK(large_t_way_table<1>)->Unit(benchmark::kMillisecond);
BENCHMARK(large_t_way_table<2>)->Unit(benchmark::kMillisecond);
BENCHMARK(large_t_way_table<3>)->Unit(benchmark::kMillisecond);

}  // namespace
