// Reachability testing (Lei and Carver, *Reachability testing of concurrent programs*, 2006): every partially ordered
// sequence of synchronization events exactly once, without remembering any sequence.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "explore/preemption.hpp"
#include "explore/reachability/contradictions.hpp"
#include "explore/reachability/endings.hpp"
#include "explore/reachability/heading.hpp"
#include "explore/reachability/prefix_run.hpp"
#include "explore/reachability/race_table.hpp"
#include "explore/reachability/reductions.hpp"
#include "explore/reachability/sequence_tree.hpp"
#include "explore/reachability/syn_sequence.hpp"
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
  std::vector<Changes> variants;       ///< of the last row, that are left
  std::vector<Ending> endings;         ///< steps that are known to end runs
  Cuts cuts;                           ///< of the sequence, that are left
  std::uint64_t seed = 0;              ///< of the run that exercised it
  std::uint64_t exercised = 0;         ///< how many of its variants were
  std::uint32_t number = none;         ///< in the tree of sequences; of no use to another process

  template <typename Archive>
  void archive(Archive& parts) {
    parts(sequence, heading, table, rows, changed, variants, endings, cuts, seed, exercised);
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
        keep_going_(options.keep_going || options.self_check),
        races_matter_(options.plain != "visible"),
        forgets_(options.forget != 0),
        draws_(options.compare),
        has_reductions_(!options.reduce.empty()),
        reader_(options.wakeup != "fifo") {}

  static constexpr unsigned most_attempts = 1000;

  bool next(Prefix& prefix) override {
    prefix.clear();
    is_cut_ = false;
    if (started_ && !advance()) return false;
    if (is_cut_) {
      prefix = frames_.back().cuts.schedule();
      cut_length_ = prefix.size();
      return true;
    }
    if (!runs_again_) doubts_.clear(), attempts_ = 0;
    runs_again_ = false;
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
    std::size_t held = give_up;
    int most_urgent = -1;
    const std::size_t first = is_plain_ ? without_preemption(at) : order_.below(at.enabled.size());
    for (std::size_t i = 0; i < at.enabled.size(); ++i) {
      const std::size_t index = (first + i) % at.enabled.size();
      const Choice choice = at.enabled[index];
      if (!run_.allows(choice, at.threads->upcoming(choice.thread))) continue;
      if (variant_.excludes({choice.thread, choice.alternative, run_.events_of(choice.thread)})) continue;
      if (!is_held(choice.thread)) return index;
      const int urgency = urgency_of(choice, at.threads->upcoming(choice.thread));
      if (urgency <= most_urgent) continue;
      most_urgent = urgency;
      held = index;
    }
    return held;
  }

  void learn(const Trace& trace) override {
    is_partial_ = trace.end() == End::repeats;
    releases_visible_ = trace.releases_visible;
    if (is_cut_) return void(draw(trace));
    const bool has_ending = sequence_.ending != none;
    if (has_ending && must_run_again(trace)) {
      is_partial_ = true;
      return void(draw(trace));
    }
    run_.begin(variant_, !releases_visible_);
    run_.follow(trace.events);
    if ((is_partial_ || has_ending) && !run_.is_done()) {
      is_partial_ = true;
      draw(trace);
      return try_again(trace);
    }
    Frame frame;
    frame.seed = seed_;
    frame.endings = known_endings();
    frame.sequence = std::move(sequence_);
    reader_.add_unmatched(variant_, frame.sequence);
    if (!has_ending) reader_.add_excluded(variant_, trace, frame.sequence);
    // Only here sequences have to be remembered: what they have in common is no symmetry of the program.
    if (reductions_.symmetry_paper && !is_partial_) is_partial_ = !classes_.insert(class_of(frame.sequence)).second;
    for (Receiving& r : frame.sequence.receiving) prune(frame.sequence, r);
    make_table(frame);
    if (has_ending && t_ == 0) frame.cuts = Cuts(frame.sequence, black_of(frame.sequence), trace);
    frame.number = draw(trace);
    if (draws_) tree_.set_columns(frame.number, frame.sequence, frame.heading, trace);
    if (!frame.heading.empty() || has_ending) frames_.push_back(std::move(frame));
  }

  /// Asked first of all; nothing is.
  [[nodiscard]] bool is_beyond_bound(const Trace& trace) override {
    sequence_ = is_cut_ ? SynSequence() : reader_.read(trace);
    has_looks_ |=
        std::any_of(trace.events.begin(), trace.events.end(), [](const Event& event) { return can_look(event.op); });
    has_endings_ |= sequence_.ending != none;
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
    return fmt::format("only sequences that combine {} changed race{} were asked for (--t)", t_, t_ == 1 ? "" : "s");
  }
  [[nodiscard]] std::string_view why_unsuitable(const Trace& trace) const override {
    const auto any = [&trace](const auto& is_it) {
      return std::any_of(trace.events.begin(), trace.events.end(), is_it);
    };
    if (is_automatic_ && frames_.empty() && !uses_constructs(trace))
      return "the program uses none of Norn's constructs";
    if (sequence_.has_unknown_states) return "it cannot be foreseen how operations turn out";
    if (sequence_.has_racing_readers) return "the program has readers' locks that race with writers";
    if (trace.spun || trace.knows_loops || any([](const Event& event) { return event.in_vain; }))
      return "threads wait in loops";
    if (any([](const Event& event) { return !is_supported(event); }))
      return "the program uses operations that it does not know";
    if (trace.raced && races_matter_) return "what they do may depend on data races";
    if (is_cut_ && (trace.events.size() != cut_length_ || !ended_early(trace)))
      return "it cannot be foreseen how operations turn out";
    const bool matters = keep_going_ || !is_bug(trace.end());
    if (sequence_.ends_unclearly && matters) return "runs end after what several threads did";
    if (sequence_.ending != none && matters && has_reductions_) return "runs end before all threads do";
    if (has_endings_ && has_looks_ && matters)
      return "runs end before all threads do, and threads look at what others change";
    if (attempts_ > most_attempts) return "it cannot be foreseen how runs end";
    return {};
  }

  [[nodiscard]] std::vector<Piece> pieces() const override {
    if (!started_) return {{}};
    std::vector<Piece> pieces = waiting_;
    for (Frame frame : frames_) {
      Packer packer;
      packer(frame);
      pieces.push_back({packer.take(), {}});
    }
    return pieces;
  }
  void take_over(std::span<const Piece> pieces) override {
    frames_.clear();
    waiting_.assign(pieces.begin(), pieces.end());
    started_ = pieces.size() != 1 || !pieces.front().work.empty();
    if (!started_) waiting_.clear();
    variant_ = {};
  }

 private:
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

  static void find_variants(Frame& frame) {
    std::vector<Change> row = with_one_end(frame.sequence, frame.changed);
    frame.variants.clear();
    if (!row.empty()) frame.variants = without_contradictions(frame.sequence, std::move(row));
  }

  /// Steps that are known to end runs, where the variant at hand comes from.
  [[nodiscard]] std::vector<Ending>& known_endings() { return frames_.empty() ? endings_ : frames_.back().endings; }
  [[nodiscard]] const std::vector<Ending>& known_endings() const {
    return frames_.empty() ? endings_ : frames_.back().endings;
  }

  /// Whether the next step of a thread has ended runs: it comes last.
  [[nodiscard]] bool is_held(ThreadId thread) const {
    const std::vector<Ending>& known = known_endings();
    if (known.empty() && !variant_.end) return false;
    const std::uint32_t index = run_.events_of(thread);
    return (variant_.end && is_at(*variant_.end, thread, index)) ||
           std::any_of(known.begin(), known.end(), [&](const Ending& one) { return is_at(one.step, thread, index); });
  }
  static bool is_at(const Step& step, ThreadId thread, std::uint32_t index) {
    return step.thread == thread && step.index == index;
  }
  [[nodiscard]] bool is_doubtful(const Step& step) const {
    return std::find(doubts_.begin(), doubts_.end(), step) != doubts_.end();
  }

  /// Which of those that come last is the first: one that must not end the run, or may turn out well.
  [[nodiscard]] int urgency_of(Choice choice, const Upcoming& upcoming) const {
    const std::uint32_t index = run_.events_of(choice.thread);
    const bool is_end = variant_.end && is_at(*variant_.end, choice.thread, index);
    if (!is_end && run_.forces(choice, upcoming)) return 3;
    if (is_doubtful({choice.thread, choice.alternative, index})) return 2;
    return is_end ? 1 : 0;
  }

  [[nodiscard]] bool is_known(const Ending& ending) const {
    const std::vector<Ending>& known = known_endings();
    return std::any_of(known.begin(), known.end(),
                       [&](const Ending& one) { return one.step == ending.step && one.past == ending.past; });
  }

  /// A step ended the run. All others that would not end it, too, are to come before it, and what the variant changes
  /// is known to end the run if it does.
  bool must_run_again(const Trace& trace) {
    const Ending last = sequence_.endings.front();
    run_.begin(variant_, !releases_visible_);
    run_.follow(trace.events.first(trace.events.size() - 1));
    const bool was_last = is_held(last.step.thread);
    const bool was_doubtful = is_doubtful(last.step);
    if (!is_known(last)) known_endings().push_back(last);
    std::erase(doubts_, last.step);
    if (changes_the_end(trace.events.back())) return run_again(true);
    const auto is_impossible = [&](const Ending& one) {
      if (one.step == last.step) return false;
      if (variant_.excludes(one.step)) return false;
      // It would have come first.
      if (was_last && (!is_held(one.step.thread) || (is_doubtful(one.step) && !was_doubtful))) return true;
      return !run_.allows({one.step.thread, one.step.alternative},
                          {one.sending.op, one.sending.port, nullptr, one.sending.argument});
    };
    std::erase_if(sequence_.endings, is_impossible);
    bool again = false;
    for (Ending& one : std::span(sequence_.endings).subspan(1)) {
      one.is_old = variant_.excludes(one.step);
      if (one.is_old) continue;
      const bool is_due = variant_.end && is_at(*variant_.end, one.step.thread, one.step.index);
      if (is_known(one) && !is_due) continue;
      again = true;
      if (is_held(one.step.thread) && !is_due) doubts_.push_back(one.step);
    }
    if (again) return run_again(false);
    add_endings();
    return false;
  }

  /// What else could have ended the run is a race for its end.
  void add_endings() {
    Receiving& r = sequence_.receiving[sequence_.ending];
    for (Ending& one : std::span(sequence_.endings).subspan(1)) {
      if (one.is_old) continue;
      Sending s = one.sending;
      s.is_elsewhere = r.is_message || s.port != r.object;
      one.is_old = s.is_elsewhere && is_old(r, s);
      const auto is_same = [&](const Sending& other) {
        return !other.is_elsewhere && other.sender == s.sender && other.index == s.index &&
               other.alternative == s.alternative;
      };
      const auto known = std::find_if(r.race_set.begin(), r.race_set.end(), is_same);
      if (!s.is_elsewhere && known != r.race_set.end()) {
        known->ends = true;
      } else {
        r.race_set.push_back(s);
      }
    }
  }

  /// `is_found`: its variants are.
  bool run_again(bool is_found) {
    runs_again_ = true;
    ++attempts_;
    if (frames_.empty()) {
      started_ = false;
    } else if (!is_found) {
      frames_.back().variants.push_back(changes_);
    }
    return true;
  }

  /// Whether the event that ended the run is there because of a change, which was not known to end it.
  bool changes_the_end(const Event& event) {
    if (frames_.empty()) return false;
    Frame& frame = frames_.back();
    const std::uint32_t index = sequence_.endings.front().step.index;
    for (const Change& change : frame.changed) {
      const Step step = step_of(frame.sequence, change);
      Sending& s = frame.sequence.receiving[change.receiving].race_set[change.race];
      if (step.thread != event.thread || step.index != index || s.ends) continue;
      s.ends = true;
      find_variants(frame);
      return true;
    }
    return false;
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
    if (s.is_elsewhere) {
      const auto is_kept = [&](const Step& step) {
        return std::find(variant_.endings.begin(), variant_.endings.end(), step) != variant_.endings.end();
      };
      return variant_.end && is_at(*variant_.end, r.thread, r.index) && is_kept({s.sender, s.alternative, s.index});
    }
    if (r.is_look) return r.index < variant_.of(r.thread).events && variant_.has_state(r.object, s.order);
    if (r.is_message) return r.index < variant_.of(r.thread).events && variant_.has_message(s.sender, s.port, s.order);
    if (!forgets_ && s.index < variant_.of(s.sender).black) return true;
    if (!variant_.has_call(s.sender, s.index, s.op)) return false;
    // Where somebody looks, the next change could have been there although nobody had made it.
    if (can_look(s.op)) return variant_.has_state(r.object, r.order);
    const Variant::OnObject* object = variant_.find(r.object);
    if (object == nullptr || r.order >= object->partners.size()) return false;
    // Nobody had its place, because it would have ended the run.
    return !variant_.is_pending(s.sender, s.index) || !object->partners[r.order].is_open();
  }

  /// Construct-Race-Table, for white receiving events.
  void make_table(Frame& frame) const {
    frame.heading = heading_of(frame.sequence);
    std::vector<Column> columns = columns_of(frame.sequence, frame.heading);
    if (t_ == 0) {
      frame.table = RaceTable(std::move(columns));
    } else {
      frame.rows = t_way_rows(columns, t_);
    }
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
  std::vector<Ending> endings_;  ///< before there are frames: steps that are known to end runs
  std::vector<Step> doubts_;     ///< steps that may not end the run, although they have ended others
  unsigned attempts_ = 0;        ///< to find out how the variant ends
  bool runs_again_ = false;
  bool is_plain_ = false;
  bool is_partial_ = false;
  bool is_automatic_;
  bool keep_going_;
  bool races_matter_;  ///< plain accesses are no events
  bool forgets_;       ///< for tests: that colours are black, which must be noticed
  bool draws_;         ///< somebody wants to see the sequences
  bool has_reductions_;
  bool has_constructs_ = false;
  bool has_looks_ = false;    ///< so far somebody looked
  bool has_endings_ = false;  ///< so far a run ended early
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
