#pragma once

#include <cstdint>
#include <vector>

#include "explore/reachability/syn_sequence.hpp"
#include "trace/trace.hpp"

namespace norn::reachability {

/// What reachability testing did, for people: the sequences that were exercised, each with its race table and with the
/// variant that it comes from. This is the spanning tree of the S/V-graph of Lei and Carver (section 7.1 and figure 8).
/// The algorithm itself keeps none of it; so there is an end to what is kept here, too.
class SequenceTree {
 public:
  static constexpr std::size_t most_sequences = 2'000;
  static constexpr std::size_t most_rows = 10'000;  ///< of all tables together
  static constexpr std::size_t most_columns = 40;   ///< of a table

  /// A sending or a receiving event.
  struct Part {
    enum class Kind : std::uint8_t { on_object, on_thread, call, message, state };
    Kind kind = Kind::call;
    ThreadId thread = no_thread;
    Op op = Op::none;
    std::uint16_t alternative = 0;
    const void* object = nullptr;
    std::uint32_t number = 0;    ///< of earlier events there, messages, or changes
    const void* site = nullptr;  ///< if it happened in the run
    friend auto operator<=>(const Part&, const Part&) = default;
  };
  struct Column {
    Part receiving;
    Part partner;
    std::vector<Part> race_set;
  };
  /// As RaceTable has it, for the columns that are kept, and the sequences that its variants led to.
  struct Row {
    std::vector<int> changes;
    std::vector<std::uint32_t> sequences = {};
  };
  struct Sequence {
    std::uint32_t parent = none;
    std::uint32_t row = none;  ///< of the table of that one, if it is kept
    End end = End::finished;
    bool is_partial = false;
    std::vector<Column> columns = {};
    std::vector<Row> rows = {};
    std::uint64_t columns_in_all = 0;
    std::uint64_t rows_in_all = 0;
  };

  /// A run of a variant of a sequence, or the first run; the number of its sequence, or `none` if it is not kept.
  std::uint32_t add(std::uint32_t parent, const Trace& trace, bool is_partial);
  /// The race table of a sequence.
  void set_columns(std::uint32_t number, const SynSequence& sequence, const std::vector<std::uint32_t>& heading,
                   const Trace& trace);
  /// The row whose variants come next.
  void begin_row(std::uint32_t number, const std::vector<int>& changes);

  [[nodiscard]] const std::vector<Sequence>& sequences() const { return sequences_; }
  /// Also those that are not kept.
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  std::vector<Sequence> sequences_;
  std::uint64_t runs_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace norn::reachability
