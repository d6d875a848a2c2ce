#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace norn::reachability {

/// A set of columns of a race table.
class Columns {
 public:
  explicit Columns(std::size_t size = 0) : bits_((size + 63) / 64) {}
  void add(std::size_t column) { bits_[column / 64] |= std::uint64_t{1} << column % 64; }
  [[nodiscard]] bool has(std::size_t column) const { return (bits_[column / 64] >> column % 64 & 1) != 0; }

  template <typename Archive>
  void archive(Archive& parts) {
    parts(bits_);
  }

 private:
  std::vector<std::uint64_t> bits_;
};

/// What a receiving event that can be changed has to do with the others. They are in an order in which whatever happens
/// before an event comes before it.
struct Column {
  Columns structure;              ///< those in its control structure
  std::vector<Columns> race_set;  ///< for each sending event that it could be synchronized with: those in its own

  template <typename Archive>
  void archive(Archive& parts) {
    parts(structure, race_set);
  }
};

/// The race variants of a sequence, one row after the other (figure 7 of Lei and Carver, *Reachability testing of
/// concurrent programs*). A row says for each column: -1, the receiving event is removed; 0, its sending partner stays
/// as it is; v > 0, its partner is the v-th event of its race set.
class RaceTable {
 public:
  RaceTable() = default;
  explicit RaceTable(std::vector<Column> columns) : columns_(std::move(columns)), row_(columns_.size(), 0) {}

  /// Goes to the next row; false if there is none.
  bool next();
  [[nodiscard]] const std::vector<int>& row() const { return row_; }
  /// Which part of the table comes before the row, and which the row is, if all values of a column weigh the same. What
  /// is not seen yet is not looked at.
  [[nodiscard]] std::pair<double, double> place() const;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(columns_, row_);
  }

 private:
  [[nodiscard]] int most(std::size_t i) const { return static_cast<int>(columns_[i].race_set.size()); }
  [[nodiscard]] const Columns& new_partner(std::size_t i) const {
    return columns_[i].race_set[static_cast<std::size_t>(row_[i]) - 1];
  }
  [[nodiscard]] bool is_removed(std::size_t i) const;
  [[nodiscard]] bool is_valid(std::size_t i) const;
  std::size_t increment(std::size_t end);

  std::vector<Column> columns_;
  std::vector<int> row_;
};

}  // namespace norn::reachability
