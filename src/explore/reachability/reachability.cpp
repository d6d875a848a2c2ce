// Reachability testing (Lei and Carver, *Reachability testing of concurrent programs*, 2006): every partially ordered
// sequence of synchronization events exactly once, without remembering any sequence.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "explore/entangled.hpp"
#include "explore/path.hpp"
#include "explore/preemption.hpp"
#include "explore/reachability/attempt.hpp"
#include "explore/reachability/contradictions.hpp"
#include "explore/reachability/endings.hpp"
#include "explore/reachability/heading.hpp"
#include "explore/reachability/prefix_run.hpp"
#include "explore/reachability/race_table.hpp"
#include "explore/reachability/reductions.hpp"
#include "explore/reachability/sequence_tree.hpp"
#include "explore/reachability/syn_sequence.hpp"
#include "explore/reachability/t_way_coverage.hpp"
#include "explore/reachability/t_way_table.hpp"
#include "explore/reachability/variant.hpp"
#include "explore/strategy.hpp"
#include "support/archive.hpp"
#include "support/hash.hpp"
#include "support/random.hpp"

namespace norn::reachability {
namespace {

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
  std::uint32_t number = none;         ///< in the tree of sequences; of no use to another process

  template <typename Archive>
  void archive(Archive& parts) {
    parts(sequence, heading, table, rows, changed, variants, attempt, cuts, suspects, seed, exercised);
  }
};

bool is_construct(const Event& event) { return event.op >= Op::monitor_enter && event.op <= Op::withdraw; }

bool uses_constructs(const Trace& trace) { return std::any_of(trace.events.begin(), trace.events.end(), is_construct); }

class Reachability final : public Strategy {
 public:
  /// `t`: only rows that are needed to cover all combinations of so many changes; 0: all rows.
  Reachability(const Options& options, unsigned t)
      : t_(t),
        reductions_(Reductions::of(options.reduce)),
        seed_(options.seed),
        order_(options.seed),
        is_automatic_(options.strategy == "auto" && options.reduce.empty()),
        races_matter_(options.plain != "visible"),
        forgets_(options.forget != 0),
        checks_tables_(options.check_tables),
        draws_(options.compare),
        has_reductions_(!options.reduce.empty()),
        reader_(options.wakeup != "fifo") {}

  bool next(Prefix& prefix) override {
    prefix.clear();
    is_cut_ = false;
    if (started_ && !advance()) return false;
    if (is_cut_) {
      prefix = frames_.back().cuts.schedule(frames_.back().sequence);
      cut_length_ = prefix.size();
      return true;
    }
    prefix = attempt_.begin(variant_);
    is_plain_ = !started_ && t_ == 0;
    started_ = true;
    order_ = SplitMix64(seed_);
    run_.begin(variant_, !releases_visible_);
    return true;
  }

  /// The first run, which nobody has asked for, is the plainest: if it shows a bug, there is little to explain. But
  /// what t-way selects depends on where it begins, so that is a matter of the seed.
  std::size_t choose(const FreeChoice& at) override {
    if (is_cut_) return give_up;
    run_.follow(at.threads->events());
    std::size_t suspicious = give_up;
    const std::size_t first = is_plain_ ? without_preemption(at) : order_.below(at.enabled.size());
    for (std::size_t i = 0; i < at.enabled.size(); ++i) {
      const std::size_t index = (first + i) % at.enabled.size();
      const Choice choice = at.enabled[index];
      if (attempt_.forbids(variant_, run_, choice) || !run_.allows(choice, at.threads->upcoming(choice.thread)))
        continue;
      if (!is_suspicious(choice)) return index;
      if (suspicious == give_up) suspicious = index;
    }
    return suspicious != give_up ? suspicious : attempt_.find_end(variant_, run_, at.enabled);
  }

  void learn(const Trace& trace) override {
    is_partial_ = trace.end() == End::repeats;
    ++runs_;
    table_size_ = {};
    releases_visible_ = trace.releases_visible;
    if (is_cut_) return void(draw(trace));
    const bool has_end = sequence_.end.has_value();
    if ((has_end || variant_.end) && must_run_again(trace)) {
      is_partial_ = true;
      return void(draw(trace));
    }
    follow(trace.events);
    const bool misses_end = variant_.end && !has_end;
    if ((is_partial_ || has_end || misses_end) && (misses_end || !run_.is_done())) {
      is_partial_ = true;
      draw(trace);
      return try_again(trace);
    }
    const std::span<const Event> events = trace.events.first(trace.events.size() - (has_end ? 1 : 0));
    Frame frame;
    frame.seed = seed_;
    frame.sequence = std::move(sequence_);
    reader_.add_unmatched(variant_, frame.sequence);
    // Only here sequences have to be remembered: what they have in common is no symmetry of the program.
    if (reductions_.symmetry_paper && !is_partial_) is_partial_ = !classes_.insert(class_of(frame.sequence)).second;
    for (Receiving& r : frame.sequence.receiving) prune(frame.sequence, r);
    if (has_end) follow(events);
    note_endings(frame.sequence);
    note_suspects(frame);
    make_table(frame);
    frame.number = draw(trace);
    if (draws_) tree_.set_columns(frame.number, frame.sequence, frame.heading, trace);
    push(std::move(frame), events);
  }

  /// Asked first of all; nothing is.
  [[nodiscard]] bool is_beyond_bound(const Trace& trace) override {
    sequence_ = is_cut_ || is_not_for_it(trace) ? SynSequence() : reader_.read(trace);
    return false;
  }
  [[nodiscard]] bool exhausts() const override { return true; }
  [[nodiscard]] bool repeats() const override { return is_partial_; }
  /// What `auto` would have handed over, had its first run not ended everything, has none.
  [[nodiscard]] const SequenceTree* sequences() const override {
    return draws_ && (!is_automatic_ || has_constructs_) ? &tree_ : nullptr;
  }
  [[nodiscard]] std::string leaves_out() const override {
    if (t_ == 0) return {};
    if (!faulty_table_.empty()) return "a race table does not cover all combinations: " + faulty_table_;
    return fmt::format("only sequences that combine {} changed race{} were asked for (--t)", t_, t_ == 1 ? "" : "s");
  }
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> race_table() const override { return table_size_; }
  [[nodiscard]] std::string guarantee() const override {
    if (!checks_tables_ || !faulty_table_.empty()) return {};
    return fmt::format("all of {} race tables cover every combination (--check-tables)", tables_);
  }
  [[nodiscard]] std::string_view why_unsuitable(const Trace& trace) const override {
    const auto any = [&trace](const auto& is_it) {
      return std::any_of(trace.events.begin(), trace.events.end(), is_it);
    };
    if (is_not_for_it(trace)) return "the program uses none of Norn's constructs";
    if (const std::string_view why = why_entangled(trace); !why.empty()) return why;
    if (sequence_.has_unknown_states) return "it cannot be foreseen how operations turn out";
    if (sequence_.has_racing_readers) return "the program has readers' locks that race with writers";
    if (trace.spun || trace.knows_loops || any([](const Event& event) { return event.in_vain; }))
      return "threads wait in loops";
    if (any([](const Event& event) { return !is_supported(event); }))
      return "the program uses operations that it does not know";
    if (trace.raced && races_matter_) return "what they do may depend on data races";
    if (is_cut_ && (trace.events.size() != cut_length_ || !ended_early(trace)))
      return "it cannot be foreseen how operations turn out";
    if (sequence_.ends_unclearly) return "runs end after what several threads did";
    if (sequence_.end && has_reductions_) return "runs end before all threads do";
    if (attempt_.goes_nowhere()) return "it cannot be foreseen how runs end";
    return {};
  }

  [[nodiscard]] std::vector<Piece> pieces() const override {
    if (!started_) return {{}};
    std::vector<Piece> pieces = waiting_;
    const std::vector<Size> sizes = sizes_left();
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      Frame frame = frames_[i];
      Packer packer;
      packer(frame);
      pieces.push_back({packer.take(), sizes[i]});
    }
    return pieces;
  }
  void take_over(std::span<const Piece> pieces) override {
    frames_.clear();
    waiting_.assign(pieces.begin(), pieces.end());
    started_ = pieces.size() != 1 || !pieces.front().work.empty();
    if (!started_) waiting_.clear();
    knows_all_ = !started_;
    variant_ = {};
    changes_ = {};
    attempt_ = {};
  }

 private:
  /// Whether `auto` hands the program over.
  [[nodiscard]] bool is_not_for_it(const Trace& trace) const {
    return is_automatic_ && frames_.empty() && !uses_constructs(trace);
  }

  /// By weighted backtracking, as explore/path.hpp does it: rows that come later are taken to be like those that came
  /// before. Not known of what others began, nor of rows that were selected.
  [[nodiscard]] std::vector<Size> sizes_left() const {
    std::vector<double> shares(frames_.size());
    double explored = 0;
    double weight = 1;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const auto [before, row] = frames_[i].table.place();
      const double done = i + 1 == frames_.size() ? before + row : before;
      explored += weight * done;
      shares[i] = weight * (1 - before - row);
      weight *= row;
    }
    if (!knows_all_ || t_ != 0 || explored <= 0) return std::vector<Size>(frames_.size());
    const double left = static_cast<double>(runs_) * (1 / explored - 1);
    return divided(sure({left, left * left}), shares);
  }

  /// Goes to the next variant; false if there is none.
  bool advance() {
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

  /// Of the last row of the race table, with all that can end them.
  void find_variants(Frame& frame) const {
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

  void follow(std::span<const Event> events) {
    run_.begin(variant_, !releases_visible_);
    run_.follow(events);
  }

  /// Whether the step may well end the run: others come first, so that there is not much left to do then.
  [[nodiscard]] bool is_suspicious(Choice choice) const {
    if (frames_.empty()) return false;
    const std::vector<Ending>& suspects = frames_.back().suspects;
    return std::any_of(suspects.begin(), suspects.end(), [&](const Ending& one) {
      return one.thread == choice.thread && one.index == run_.events_of(choice.thread);
    });
  }

  /// Whether the run that is followed was not the one to learn from: a step ended it that should come last, or not at
  /// all.
  bool must_run_again(const Trace& trace) {
    const std::size_t intruder = find_intruder(variant_, !releases_visible_, trace.events);
    if (intruder != trace.events.size()) return avoid(trace, intruder);
    if (!sequence_.end) return false;
    const Ending& end = *sequence_.end;
    if (variant_.end && variant_.end->thread == end.thread && variant_.end->index == end.index) return false;
    if (changes_the_end(end)) return true;
    if (attempt_.has_found(end)) return variant_.end.has_value();
    attempt_.find(end);
    variant_.watch(end);
    if (!variant_.end && !could_go_on(trace)) return false;
    return run_again(trace, trace.events.size() - 1);
  }

  /// Unless the variant says that it happens: then it is not possible.
  bool avoid(const Trace& trace, std::size_t at) {
    const Event& event = trace.events[at];
    follow(trace.events.first(at));
    const std::uint32_t index = run_.events_of(event.thread);
    const Variant::OnObject* on = variant_.find(event.object);
    const auto is_it = [&](const Variant::Look& look) { return look.thread == event.thread && look.index == index; };
    if (std::any_of(on->looks.begin(), on->looks.end(), is_it)) return true;
    attempt_.avoid({event.thread, event.alternative, index, event.object, variant_.end->order});
    return run_again(trace, at);
  }

  /// With the same beginning. The first run is the only variant of a sequence in which nothing has happened.
  bool run_again(const Trace& trace, std::size_t events) {
    attempt_.go_back(trace, events);
    if (frames_.empty()) frames_.emplace_back().seed = seed_;
    Frame& frame = frames_.back();
    frame.variants.push_back(changes_);
    frame.attempt = std::move(attempt_);
    if (frame.exercised != 0) --frame.exercised;
    attempt_ = {};
    return true;
  }

  /// Whether the run that is followed was ended by a change, which was not known to end it.
  bool changes_the_end(const Ending& end) {
    if (frames_.empty()) return false;
    Frame& frame = frames_.back();
    for (const Change& change : frame.changed) {
      Receiving& r = frame.sequence.receiving[change.receiving];
      Sending& s = r.race_set[change.race];
      const Ending step = step_of(r, s);
      if (step.thread != end.thread || step.index != end.index || s.ends) continue;
      s.ends = true;
      find_variants(frame);
      return true;
    }
    return false;
  }

  /// Whether something else than the last event could have been done instead that does not end the run as well, as far
  /// as is known.
  [[nodiscard]] bool could_go_on(const Trace& trace) {
    follow(trace.events.first(trace.events.size() - 1));
    for (const Choice& choice : choices_besides_last(trace)) {
      if (attempt_.forbids(variant_, run_, choice)) continue;
      const Pending next = pending_before_last(trace, choice.thread);
      // Which ports are open is not known here.
      if (next.op == Op::receive || run_.allows(choice, {next.op, next.object, nullptr, next.argument})) return true;
    }
    return false;
  }

  void note_suspects(Frame& frame) const {
    if (!frames_.empty()) frame.suspects = frames_.back().suspects;
    for (const Ending& ending : attempt_.found()) {
      const auto is_it = [&](const Ending& one) { return one.thread == ending.thread && one.index == ending.index; };
      if (std::none_of(frame.suspects.begin(), frame.suspects.end(), is_it))
        frame.suspects.push_back({ending.thread, 0, ending.index});
    }
  }

  /// Notes what could end the run now, and which races are known to end it.
  void note_endings(SynSequence& sequence) const {
    const auto note = [&](Ending ending, bool is_new) {
      ending.past.resize(sequence.width, 0);
      ending.is_new = is_new;
      if (run_.is_at(ending, ending.thread)) return sequence.endings.push_back(ending);
      for (Receiving& r : sequence.receiving)
        for (Sending& s : r.race_set) s.ends |= step_of(r, s).is_same(ending);
    };
    for (const Ending& ending : variant_.endings) note(ending, false);
    for (const Ending& ending : attempt_.found()) note(ending, !variant_.end);
  }

  /// The run of a sequence that can end in several ways is also the run of its longest variant with this end. From
  /// there only cuts follow: all the rest is old.
  void push(Frame frame, std::span<const Event> events) {
    std::optional<Frame> ended;
    if (frame.sequence.end && !variant_.end) {
      ended.emplace();
      ended->sequence = frame.sequence;
      ended->number = frame.number;
      const Ending end = *frame.sequence.end;
      frame.sequence.end.reset();
      for (const Changes& changes : with_ends(frame.sequence, {}))
        if (t_ == 0 && !frame.sequence.endings[changes.end].is_same(end)) frame.variants.push_back(changes);
    }
    if (frame.sequence.end && t_ == 0) frame.cuts = Cuts(frame.sequence, black_of(frame.sequence), events);
    if (ended && t_ == 0) ended->cuts = Cuts(ended->sequence, black_of(ended->sequence), events);
    if (!frame.heading.empty() || !frame.variants.empty() || frame.sequence.end) frames_.push_back(std::move(frame));
    if (ended) frames_.push_back(std::move(*ended));
  }

  /// How many events of each thread are black.
  [[nodiscard]] std::vector<Clock> black_of(const SynSequence& sequence) const {
    std::vector<Clock> black(sequence.width, 0);
    for (ThreadId thread = 0; thread < sequence.width; ++thread) black[thread] = variant_.of(thread).black;
    for (const Receiving& r : sequence.receiving)
      if (r.is_black) black[r.thread] = std::max(black[r.thread], r.index + 1);
    return black;
  }

  /// The run of the last frame's variant, or the first run.
  std::uint32_t draw(const Trace& trace) {
    if (!draws_) return none;
    has_constructs_ |= uses_constructs(trace);
    return tree_.add(frames_.empty() ? none : frames_.back().number, trace, is_partial_);
  }

  /// What could not be exercised has no variants. But if a look turned out to be a change, the others come before it in
  /// another run; unless two did.
  void try_again(const Trace& trace) {
    const Variant::Look* early = run_.find_early_change(trace.events);
    if (early == nullptr) return;
    Frame& frame = frames_.back();
    for (const Change& change : changes_.changes) {
      const Receiving& r = frame.sequence.receiving[change.receiving];
      if (r.is_look && r.thread == early->thread && r.index == early->index) changes_.last.push_back(change.receiving);
    }
    frame.variants.push_back(changes_);
  }

  bool begin_piece() {
    if (waiting_.empty()) return false;
    Unpacker unpacker(waiting_.back().work);
    unpacker(frames_.emplace_back());
    waiting_.pop_back();
    return true;
  }

  [[nodiscard]] std::optional<std::vector<int>> next_row(Frame& frame) const {
    if (t_ == 0) return frame.table.next() ? std::optional(frame.table.row()) : std::nullopt;
    if (frame.rows.empty()) return std::nullopt;
    std::vector<int> row = std::move(frame.rows.back());
    frame.rows.pop_back();
    return row;
  }

  /// The colour of the event, and without old sending events if it is old itself (GenerateVariants, figure 10).
  void prune(const SynSequence& sequence, Receiving& r) const {
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

  /// Whether both were part of the variant. (Or what was changed for good cannot be a partner any more.)
  [[nodiscard]] bool is_old(const Receiving& r, const Sending& s) const {
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

  /// Construct-Race-Table, for white receiving events.
  void make_table(Frame& frame) {
    frame.heading = heading_of(frame.sequence);
    std::vector<Column> columns = columns_of(frame.sequence, frame.heading);
    table_size_.first = columns.size();
    for (const Column& column : columns) table_size_.second += column.race_set.size();
    if (t_ == 0) {
      frame.table = RaceTable(std::move(columns));
      return;
    }
    frame.rows = t_way_rows(columns, t_);
    if (forgets_ && !frame.rows.empty()) frame.rows.pop_back();
    if (checks_tables_) check(columns, frame.rows);
  }

  void check(const std::vector<Column>& columns, const std::vector<std::vector<int>>& rows) {
    const t_way::Coverage found = t_way::check_coverage(columns, t_, rows);
    ++tables_;
    if (!found.is_complete()) faulty_table_ = t_way::describe(found);
  }

  /// Whether the operation is one event, on one object.
  static bool is_supported(const Event& event) {
    switch (event.op) {
      case Op::poll:
      case Op::send:
      case Op::step_begin: return false;
      case Op::condition_sleep:
      case Op::condition_timed_sleep: return event.alternative != wakes_spuriously;
      default: return true;
    }
  }

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
  bool releases_visible_ = false;
};

}  // namespace
}  // namespace norn::reachability

namespace norn {

std::unique_ptr<Strategy> make_reachability(const Options& options) {
  return std::make_unique<reachability::Reachability>(options, 0);
}

std::unique_ptr<Strategy> make_t_way(const Options& options) {
  return std::make_unique<reachability::Reachability>(options, options.t);
}

}  // namespace norn
