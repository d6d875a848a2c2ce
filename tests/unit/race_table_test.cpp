// The race variants of a sequence are the valid rows, all of them and each once.

#include "explore/reachability/race_table.hpp"

#include <gtest/gtest.h>

#include "t_way_coverage.hpp"

namespace norn::test {
namespace {

Table rows_of(const std::vector<Column>& columns) {
  reachability::RaceTable table(columns);
  Table rows;
  while (table.next()) rows.push_back(table.row());
  return rows;
}

Columns set_of(std::size_t size, std::initializer_list<std::size_t> columns) {
  Columns result(size);
  for (const std::size_t column : columns) result.add(column);
  return result;
}

TEST(RaceTable, HasNoRowsIfThereIsNothingToChange) { EXPECT_EQ(rows_of({}), Table()); }

/// Table 3 of *Reachability testing of concurrent programs*, table I of the other paper.
TEST(RaceTable, OfTheFirstExample) {
  const Column independent{Columns(2), {Columns(2)}};
  EXPECT_EQ(rows_of({independent, independent}), (Table{{0, 1}, {1, 0}, {1, 1}}));
}

/// Figure 5 of *A combinatorial testing strategy for concurrent programs*: r1 happens before r2, r3 is concurrent.
TEST(RaceTable, OfTheExampleForPairs) {
  const Column independent{Columns(3), {Columns(3)}};
  const Column second{set_of(3, {0}), {Columns(3)}};
  EXPECT_EQ(rows_of({independent, second, independent}),
            (Table{{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, -1, 0}, {1, -1, 1}}));
}

/// Where rows are, in parts of the whole: one follows the other, however many the columns leave.
TEST(RaceTable, KnowsThePlacesOfRows) {
  const Column independent{Columns(3), {Columns(3)}};
  const Column second{set_of(3, {0}), {Columns(3), Columns(3)}};
  reachability::RaceTable table({independent, second, independent});
  double end = 0;
  std::size_t rows = 0;
  do {
    const auto [before, row] = table.place();
    EXPECT_DOUBLE_EQ(before, end);
    end = before + row;
    ++rows;
  } while (table.next());
  EXPECT_EQ(rows, 8U);
  EXPECT_DOUBLE_EQ(end, 1);
}

TEST(RaceTable, HasNoRowInWhichANewPartnerIsRemoved) {
  const Column first{Columns(2), {Columns(2), Columns(2)}};
  const Column second{Columns(2), {set_of(2, {0}), Columns(2)}};
  EXPECT_EQ(rows_of({first, second}), (Table{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 2}}));
}

TEST(RaceTable, HasNoRowInWhichANewPartnerFurtherLeftIsRemoved) {
  const Column first{Columns(2), {set_of(2, {1}), Columns(2)}};
  const Column second{Columns(2), {Columns(2), Columns(2)}};
  EXPECT_EQ(rows_of({first, second}), (Table{{0, 1}, {0, 2}, {1, 0}, {2, 0}, {2, 1}, {2, 2}}));
}

/// An event that is removed has no partner to change, and nothing that follows depends on such a change.
TEST(RaceTable, ChangesNothingThatIsRemoved) {
  const std::vector<Column> chain = {
      {Columns(3), {Columns(3)}}, {set_of(3, {0}), {Columns(3)}}, {set_of(3, {0, 1}), {Columns(3), Columns(3)}}};
  EXPECT_EQ(rows_of(chain), (Table{{0, 0, 1}, {0, 0, 2}, {0, 1, -1}, {1, -1, -1}}));
}

TEST(RaceTable, IsWhatIsLeftOfAllRowsWithoutTheInvalidOnes) {
  std::size_t rows = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const std::vector<Column> columns = RandomStructure(seed).up_to(seed % 25 == 0 ? 6 : 5, 3);
    Table found = rows_of(columns);
    std::sort(found.begin(), found.end());
    const Table expected = all_valid_rows(columns);
    ASSERT_EQ(found, expected) << "seed " << seed;
    rows += expected.size();
  }
  EXPECT_GT(rows, 5000U) << "the structures are no challenge";
}

}  // namespace
}  // namespace norn::test
