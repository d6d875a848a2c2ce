#pragma once

// Reachability testing (Lei and Carver, *Reachability testing of concurrent programs*, 2006): every partially ordered
// sequence of synchronization events exactly once, without remembering any sequence.

#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "explore/reachability/attempt.hpp"
#include "explore/reachability/contradictions.hpp"
#include "explore/reachability/endings.hpp"
#include "explore/reachability/prefix_run.hpp"
#include "explore/reachability/race_table.hpp"
#include "explore/reachability/reductions.hpp"
#include "explore/reachability/sequence_tree.hpp"
#include "explore/reachability/syn_sequence.hpp"
#include "explore/reachability/variant.hpp"
#include "explore/strategy.hpp"
#include "support/random.hpp"

namespace norn::reachability {

/// A sequence that was exercised, and which of its variants are left.
struct Frame {
  SynSequence sequence;
  std::vector<std::uint32_t> heading;  ///< the receiving events that are columns of the table
  RaceTable table;
  std::vector<std::vector<int>> rows;  ///< t-way: what is left of the table
  std::vector<Change> changed;         ///< by the last row
  std::vector<Changes> variants;       ///< of this row, that are left
  Attempt attempt;                     ///< to exercise the last of these
  Cuts cuts;                           ///< of the sequence, that are left
  std::vector<Ending> suspects;        ///< steps that have ended runs, whatever came before
  std::uint64_t seed = 0;              ///< of the run that exercised it
  std::uint64_t exercised = 0;         ///< how many of its variants were
  VisibleReleases releases;
  bool has_all_rows = false;    ///< t-way: the table is exercised whole
  std::uint32_t number = none;  ///< in the tree of sequences; of no use to another process

  template <typename Archive>
  void archive(Archive& parts) {
    parts(sequence, heading, table, rows, changed, variants, attempt, cuts, suspects, seed, exercised, releases,
          has_all_rows);
  }
};

class Reachability final : public Strategy {
 public:
  /// `t`: only rows that are needed to cover all combinations of so many changes; 0: all rows.
  Reachability(const Options& options, unsigned t);

  bool next(Prefix& prefix) override;
  std::size_t choose(const FreeChoice& at) override;
  void learn(const Trace& trace) override;

  [[nodiscard]] bool is_beyond_bound(const Trace& trace) override;
  [[nodiscard]] bool exhausts() const override { return true; }
  [[nodiscard]] bool repeats() const override { return is_partial_; }
  [[nodiscard]] const SequenceTree* sequences() const override;
  [[nodiscard]] std::string leaves_out() const override;
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> race_table() const override { return table_size_; }
  [[nodiscard]] std::string guarantee() const override;
  [[nodiscard]] std::string_view why_unsuitable(const Trace& trace) const override;

  [[nodiscard]] std::vector<Piece> pieces() const override;
  void take_over(std::span<const Piece> pieces) override;

 private:
  /// Whether `auto` hands the program over.
  [[nodiscard]] bool is_not_for_it(const Trace& trace) const;
  void follow(std::span<const Event> events);
  /// The run of the last frame's variant, or the first run.
  std::uint32_t draw(const Trace& trace);
  /// What could not be exercised has no variants. But if a look turned out to be a change, the others come before it in
  /// another run; unless two did.
  void try_again(const Trace& trace);

  // GenerateVariants (generate_variants.cpp).
  /// Goes to the next variant; false if there is none.
  bool advance();
  /// Of the last row of the race table, with all that can end them.
  void find_variants(Frame& frame) const;
  [[nodiscard]] std::optional<std::vector<int>> next_row(Frame& frame) const;
  /// The colour of the event, and without old sending events if it is old itself (GenerateVariants, figure 10).
  void prune(const SynSequence& sequence, Receiving& r) const;
  /// Whether both were part of the variant. (Or what was changed for good cannot be a partner any more.)
  [[nodiscard]] bool is_old(const Receiving& r, const Sending& s) const;
  /// Construct-Race-Table, for white receiving events.
  void make_table(Frame& frame);
  void check(const std::vector<Column>& columns, const std::vector<std::vector<int>>& rows);

  // Runs that end before all threads do (early_ends.cpp).
  /// Whether the step may well end the run: others come first, so that there is not much left to do then.
  [[nodiscard]] bool is_suspicious(Choice choice) const;
  /// Whether the run that is followed was not the one to learn from: a step ended it that should come last, or not at
  /// all.
  bool must_run_again(const Trace& trace);
  bool avoid(const Trace& trace, std::size_t at);
  bool run_again(const Trace& trace, std::size_t events);
  /// Whether the run that is followed was ended by a change, which was not known to end it.
  bool changes_the_end(const Ending& end);
  /// Whether something else than the last event could have been done instead that does not end the run as well, as far
  /// as is known.
  [[nodiscard]] bool could_go_on(const Trace& trace);
  void note_suspects(Frame& frame) const;
  /// Notes what could end the run now, and which races are known to end it.
  void note_endings(SynSequence& sequence) const;
  void push(Frame frame, std::span<const Event> events);
  /// How many events of each thread are black.
  [[nodiscard]] std::vector<Clock> black_of(const SynSequence& sequence) const;

  // Work that others can do (pieces.cpp).
  bool begin_piece();
  /// By weighted backtracking, as explore/path.hpp does it: rows that come later are taken to be like those that came
  /// before. Not known of what others began, nor of rows that were selected.
  [[nodiscard]] std::vector<Size> sizes_left() const;

  std::vector<Frame> frames_;
  std::uint64_t runs_ = 0;
  bool knows_all_ = true;  ///< nobody else has begun with any of it
  std::vector<Piece> waiting_;
  Variant variant_;
  Changes changes_;       ///< that made it of the last frame's sequence
  SynSequence sequence_;  ///< of the last run
  PrefixRun run_;
  std::unordered_set<std::uint64_t> classes_;  ///< with symmetry-paper: of the sequences so far
  unsigned t_;
  Reductions reductions_;
  std::uint64_t seed_;  ///< of the run at hand
  SplitMix64 order_;    ///< in which its free part tries what it may do
  bool started_ = false;
  bool is_cut_ = false;  ///< the run is no variant but a part of a sequence
  std::size_t cut_length_ = 0;
  Attempt attempt_;  ///< to exercise the variant
  bool is_plain_ = false;
  bool is_partial_ = false;
  bool is_automatic_;
  bool races_matter_;  ///< plain accesses are no events
  bool forgets_;       ///< for tests: that colours are black, which must be noticed
  bool checks_tables_;
  std::uint64_t tables_ = 0;  ///< that were checked
  std::string faulty_table_;  ///< what is wrong with one
  std::pair<std::uint64_t, std::uint64_t> table_size_;
  bool draws_;  ///< somebody wants to see the sequences
  bool has_reductions_;
  bool has_constructs_ = false;
  SequenceTree tree_;
  SynSequenceReader reader_;
  VisibleReleases releases_;
};

}  // namespace norn::reachability
