// A t-way table has valid rows only, and covers every valid combination of t race outcomes.

#include "explore/reachability/t_way_table.hpp"

#include <gtest/gtest.h>

#include "t_way_coverage.hpp"

namespace norn::test {
namespace {

using reachability::t_way_rows;

/// Columns that have nothing to do with each other.
std::vector<Column> independent(std::size_t count, std::size_t races) {
  return std::vector<Column>(count, Column{Columns(count), std::vector<Columns>(races, Columns(count))});
}

/// Each column depends on all before it.
std::vector<Column> chain(std::size_t count, std::size_t races) {
  std::vector<Column> columns = independent(count, races);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) columns[i].structure.add(j);
  return columns;
}

/// Figure 5 of the paper: r1 happens before r2, r3 is concurrent.
std::vector<Column> example_for_pairs() {
  std::vector<Column> columns = independent(3, 1);
  columns[1].structure.add(0);
  return columns;
}

Table sorted(Table table) {
  std::sort(table.begin(), table.end());
  return table;
}

void expect_covered(const std::vector<Column>& columns, unsigned t, const Table& rows) {
  const Coverage found = check_coverage(columns, t, rows);
  EXPECT_TRUE(found.is_complete()) << describe(found);
  EXPECT_GE(rows.size(), found.most_of_some_columns);
}

void expect_random_tables_cover(unsigned t, std::uint64_t structures) {
  for (std::uint64_t seed = 1; seed <= structures; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Column> columns = RandomStructure(seed).up_to(20, 4);
    expect_covered(columns, t, t_way_rows(columns, t));
  }
}

TEST(TWayTable, CoversSingleOutcomesInOneRowIfItCan) {
  EXPECT_EQ(t_way_rows(independent(2, 1), 1), (Table{{1, 1}})) << "variant V3 of the paper's table I";
  EXPECT_EQ(t_way_rows(independent(20, 4), 1).size(), 4U);
}

TEST(TWayTable, OfAllColumnsIsTheRaceTable) {
  EXPECT_EQ(sorted(t_way_rows(independent(2, 1), 2)), (Table{{0, 1}, {1, 0}, {1, 1}})) << "the paper's table I";
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<Column> columns = RandomStructure(seed).up_to(4, 3);
    for (unsigned more = 0; more < 2; ++more)
      EXPECT_EQ(sorted(t_way_rows(columns, static_cast<unsigned>(columns.size()) + more)), all_valid_rows(columns))
          << "seed " << seed;
  }
}

TEST(TWayTable, OfNothingIsEmpty) {
  EXPECT_EQ(t_way_rows({}, 2), Table());
  EXPECT_EQ(t_way_rows(independent(3, 1), 0), Table());
}

TEST(TWayTable, OfTheExampleForPairs) {
  EXPECT_EQ(sorted(t_way_rows(example_for_pairs(), 2)),
            (Table{{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, -1, 0}, {1, -1, 1}}));
}

/// The pairs of figure 2 of the paper, without (0, 0), which is no change.
TEST(TWayTable, OfThreeIndependentOutcomes) {
  EXPECT_EQ(sorted(t_way_rows(independent(3, 1), 2)), (Table{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}));
}

/// One change removes all that follows, so that there is just one in each row.
TEST(TWayTable, OfAChainHasARowForEachChange) {
  for (unsigned t = 1; t <= 3; ++t) EXPECT_EQ(t_way_rows(chain(10, 3), t).size(), 30U);
}

TEST(TWayTable, CoversSingleOutcomes) { expect_random_tables_cover(1, 200); }
TEST(TWayTable, CoversPairs) { expect_random_tables_cover(2, 100); }
TEST(TWayTable, CoversTriples) { expect_random_tables_cover(3, 30); }

TEST(TWayTable, CoversCombinationsOfMoreThanThree) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Column> columns = RandomStructure(seed).exactly(6, 2);
    for (unsigned t = 4; t <= 5; ++t) expect_covered(columns, t, t_way_rows(columns, t));
  }
}

TEST(TWayTable, CoversFewerOutcomesAsWell) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Column> columns = RandomStructure(seed).up_to(12, 3);
    expect_covered(columns, 2, t_way_rows(columns, 3));
    expect_covered(columns, 1, t_way_rows(columns, 2));
  }
}

TEST(TWayTable, HasRoomForMoreColumnsThanAWordHasBits) {
  const std::vector<Column> columns = RandomStructure(1).exactly(70, 2);
  for (unsigned t = 1; t <= 2; ++t) expect_covered(columns, t, t_way_rows(columns, t));
}

TEST(TWayTable, HasRoomForMoreRacesThanAWordHasBits) {
  const std::vector<Column> columns = RandomStructure(1).exactly(5, 100);
  for (unsigned t = 1; t <= 2; ++t) expect_covered(columns, t, t_way_rows(columns, t));
}

TEST(TWayTable, IsMuchSmallerThanTheRaceTable) {
  EXPECT_LE(t_way_rows(independent(20, 4), 2).size(), 60U) << "of 5^20 - 1";
}

TEST(TWayTable, IsTheSameEveryTime) {
  const std::vector<Column> columns = RandomStructure(3).exactly(15, 4);
  EXPECT_EQ(t_way_rows(columns, 2), t_way_rows(columns, 2));
}

/// What the rules say about t columns is what they say about all columns, if nothing is changed but those t.
TEST(TWayCoverage, AValidCombinationIsPartOfAVariantThatChangesNothingElse) {
  const auto has = [](const TableRow& row, const Combination& c) {
    const auto is_in_row = [&row](const auto& it) { return row[it.first] == it.second; };
    const auto is_change = [](const auto& it) { return it.second > 0; };
    return std::all_of(c.begin(), c.end(), is_in_row) &&
           std::count_if(c.begin(), c.end(), is_change) ==
               std::count_if(row.begin(), row.end(), [](int value) { return value > 0; });
  };
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const std::vector<Column> columns = RandomStructure(seed).exactly(5, 2);
    const Table rows = all_valid_rows(columns);
    for (std::size_t t = 1; t <= 3; ++t)
      for_each_choice(columns.size(), t, [&](const std::vector<std::size_t>& chosen) {
        for_each_tuple(columns, chosen, [&](const Combination& c, std::size_t) {
          const bool exists = std::any_of(rows.begin(), rows.end(), [&](const TableRow& row) { return has(row, c); });
          EXPECT_EQ(is_valid(columns, c), exists) << "seed " << seed;
        });
      });
  }
}

TEST(TWayCoverage, NoticesWhatIsMissing) {
  const Table all = all_valid_rows(example_for_pairs());
  EXPECT_EQ(check_coverage(example_for_pairs(), 2, all).valid, 8U) << "two of r1 and r2, and the paper's pi";
  for (std::size_t i = 0; i < all.size(); ++i) {
    Table rows = all;
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(check_coverage(example_for_pairs(), 2, rows).missing.empty()) << "without row " << i;
  }
}

TEST(TWayCoverage, NoticesRowsThatAreInvalidOrRepeated) {
  const std::vector<Column> columns = example_for_pairs();
  const Table wrong = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, -1, 1}, {0, 0, 2}, {0, 0, -2}, {0, 1}};
  EXPECT_EQ(check_coverage(columns, 2, wrong).invalid, wrong);
  EXPECT_EQ(check_coverage(columns, 2, {{0, 0, 1}, {0, 1, 0}, {0, 0, 1}}).repeated, 1U);
}

}  // namespace
}  // namespace norn::test
