#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "explore/dpor/causality.hpp"
#include "explore/dpor/foresight.hpp"
#include "explore/dpor/linearizations.hpp"
#include "explore/dpor/node.hpp"
#include "explore/dpor/races.hpp"
#include "explore/dpor/readers.hpp"
#include "explore/dpor/waits.hpp"
#include "explore/strategy.hpp"
#include "explore/survey.hpp"
#include "support/random.hpp"

namespace norn::dpor {

class Dpor final : public Strategy {
 public:
  explicit Dpor(const Options& options);

  bool next(Prefix& prefix) override;
  std::size_t choose(const FreeChoice& at) override;
  [[nodiscard]] std::uint32_t goes_on_from() const override;
  void learn(const Trace& trace) override;

  [[nodiscard]] bool exhausts() const override { return true; }
  [[nodiscard]] std::string_view why_unsuitable(const Trace& trace) const override;
  [[nodiscard]] std::string leaves_out() const override {
    return left_out_ ? beyond_preemptions(static_cast<int>(*bound_)) : "";
  }
  [[nodiscard]] bool is_beyond_bound(const Trace& trace) override;
  [[nodiscard]] bool is_as_foreseen(const Trace& trace) const;
  [[nodiscard]] bool repeats() const override { return redundant_; }

  [[nodiscard]] std::vector<Piece> pieces() const override;
  void take_over(std::span<const Piece> pieces) override;

 private:
  Frame& top() { return *frames_[depth_ - 1]; }
  [[nodiscard]] const Frame& top() const { return *frames_[depth_ - 1]; }
  bool advance();
  [[nodiscard]] bool is_in_vain(const Frame& from, const Child& child) const;
  [[nodiscard]] bool leads_nowhere(const Frame& from, const Child& child) const;
  void forget_done(std::size_t point);
  void derive_from(const Trace& trace);
  [[nodiscard]] static std::string_view why_unbounded(const Trace& trace);
  void keep_bound(Frame& frame, std::size_t first);
  bool exceeds_bound(const Frame& frame, const Child& child);
  Moved moved_by(const Frame& frame, const Child& child);
  static void join(std::vector<Clock>& into, const Clock* from);
  [[nodiscard]] std::string work_of(Frame frame) const;
  std::optional<std::size_t> choose_in_turn(const FreeChoice& at);
  [[nodiscard]] bool may_be_out_of_turn(ThreadId thread, Op op, const void* object, const Overtakers& overtakers) const;
  bool may_be_out_of_turn(ThreadId thread, const ThreadsView& threads);
  bool is_out_of_turn_now(ThreadId thread, const ThreadsView& threads);
  bool was_out_of_turn(ThreadId thread, Op op, const void* of);
  [[nodiscard]] bool waited_for_turn(const Trace& trace) const;
  void look_at_run(std::span<const Event> events, std::span<const Link> links);
  std::size_t choose_carefully(const FreeChoice& at);
  [[nodiscard]] std::size_t choose_among_waiting(const FreeChoice& at) const;
  [[nodiscard]] bool is_in_given_round(ThreadId thread, std::span<const Event> events) const;
  [[nodiscard]] bool waits_in_prefix(std::span<const Event> events) const;
  [[nodiscard]] bool went_round_in_given(std::span<const Event> events) const;
  [[nodiscard]] bool went_round_in_given(ThreadId thread, std::span<const Event> events) const;
  [[nodiscard]] static std::vector<Hold> rounds_in_vain(const Frame& frame, const Trace& trace);
  [[nodiscard]] static bool was_held(const Frame& frame, const Trace& trace, const Hold& hold,
                                     std::span<const Hold> rounds);
  bool sees_too_much(Frame& frame, const Trace& trace);
  void hold(Frame& frame, Hold hold);
  static bool ends_waiting(const Frame& frame, const Trace& trace, ThreadId thread);
  void learn_rounds(const Trace& trace);
  [[nodiscard]] Ahead ahead_of(const Trace& trace) const;
  Waiting look_of(const Pending& pending);
  [[nodiscard]] bool may_move(ThreadId thread, const Upcoming& upcoming, std::span<const Event> events) const;
  static bool is_excluded(const Ending& end, ThreadId thread);
  bool disturbs_end(Frame& frame, const Trace& trace);
  static bool ended_early(const Trace& trace);
  static bool failed_with_another(const Trace& trace);
  static Node node_of(const Event& event, std::uint32_t object);
  [[nodiscard]] const Ending* next_ending(ThreadId thread, std::span<const Event> events) const;
  static bool still_ends(const Ending& ending, std::span<const Event> events);
  bool end_at_placed(Frame& frame, const Trace& trace);
  bool end_at_forced(Frame& frame, const Event& event, std::span<const Choice> enabled);
  static void note_alternatives(Ending& ending, std::span<const Choice> enabled);
  Ending& note_ending(Frame& frame, const Event& event, std::span<const Choice> enabled);
  void know_causes(Frame& frame, Ending& ending, std::span<const Link> links, ThreadId failed);
  void learn_end(Frame& frame, const Trace& trace, std::span<const Choice> enabled, std::span<const Link> links,
                 bool again);
  void find_ends(Frame& frame, const Trace& trace);
  bool others_can_move(const Trace& trace, std::span<const Choice> enabled, std::span<const Link> links);
  static void find_cuts(Frame& frame, Position before, std::uint32_t end);
  static bool can_be_cut(const Frame& frame, Position i, const Ending& end);
  static bool is_last(const Frame& frame, Position i, Position next, const Ending& end);
  static bool was_seen(const Frame& frame, const Node& end);
  static void keep_endings(const Frame& from, const Child& child, Frame& to);
  static void derive_cut(const Frame& from, const Child& child, Frame& to);
  Frame& push();
  [[nodiscard]] Survey::Branch next_branch();
  void begin_probe();
  void offer_children(std::size_t point);
  [[nodiscard]] bool has_room_for_probe() const;
  /// What the survey says now, to be compared with what comes.
  void note_foreseen();
  [[nodiscard]] Survey::Stratum stratum_of(const Frame& frame, const Child& child) const;
  [[nodiscard]] Survey::Stratum stratum_of(const Frame& from, std::size_t given) const;
  [[nodiscard]] std::vector<Size> sizes(std::span<const std::vector<Survey::Stratum>> parts) const;
  void derive(const Frame& from, const Child& child);
  static void keep_waiting(const Frame& from, const Child& child, Frame& to);
  void derive_placed(const Frame& from, const Child& child, Frame& to);
  void derive_revisit(const Frame& from, const Child& child, Frame& to);
  void derive_alternative(const Frame& from, const Child& child, Frame& to);
  void append(Frame& to, const Node& node);
  void append(Frame& to, std::span<const Node> nodes);

  void add_node(Frame& frame, const Event& event, std::span<const Choice> enabled);
  void find_for_step(const Frame& frame, const Candidate& candidate, Position unlock, std::uint64_t state);
  void follow(const Link& link, Position length, bool is_new);
  void follow_history(const Link& link);
  [[nodiscard]] static unsigned width_of(std::span<const Event> events, std::span<const Link> links);
  [[nodiscard]] static unsigned width_of(const Trace& trace) { return width_of(trace.events, trace.links); }
  Node node_of(const Event& event) { return node_of(event, number_of(event.object)); }
  void find_for_waiting(const Trace& trace, std::span<const Link> links);
  void find_for(const Pending& pending, const Ending* ending);
  void find_receivers(const Link& sent, Position length, const Clock* past);
  void find_receivers_of_late_sends(Position length);
  std::uint32_t number_of(const void* object);
  std::uint32_t find_number(const void* object);

  bool races_matter_;              ///< plain accesses are no events
  std::optional<unsigned> bound_;  ///< on preemptions
  bool left_out_ = false;          ///< something was beyond it
  bool is_beyond_ = false;         ///< the last run was
  std::string_view unbounded_;     ///< why it is not known whether the last run is
  bool is_read_ = false;           ///< the last run is in linearizations_
  Linearizations linearizations_;
  std::vector<Clock> part_;
  std::vector<Clock> moved_needs_;
  SplitMix64 order_;               ///< what comes first
  std::uint64_t forgets_;          ///< Options::forget
  std::uint64_t derived_ = 0;      ///< graphs, if some are to be forgotten
  Survey survey_;                  ///< of what is left
  Hindsight hindsight_;            ///< on what it has said
  std::uint64_t runs_ = 0;         ///< of this process
  std::uint64_t runs_before_ = 0;  ///< what it does now was taken over
  Size taken_over_;                ///< what was left then
  static constexpr std::size_t strata_in_a_run = 32;
  std::size_t grain_ = 1;  ///< strata differ by so many events
  std::vector<std::unique_ptr<Frame>> frames_;
  std::size_t depth_ = 0;
  bool started_ = false;
  bool redundant_ = false;  ///< the last run
  WithoutRounds without_rounds_;
  HeldRun held_;
  bool knows_loops_ = false;  ///< Trace::knows_loops
  bool is_lost_ = false;      ///< a thread that is to wait does not
  bool has_readers_ = false;  ///< of locks that are shared
  bool ends_early_;           ///< runs may end while others could go on
  Foresight foresight_;
  Histories histories_;
  std::vector<std::uint64_t> in_rounds_;  ///< histories of threads in the middle of a round in vain
  std::vector<Round> rounds_;             ///< and these rounds so far
  Causality causality_;
  Causality causality_so_far_;  ///< of the run at hand
  Frame so_far_;                ///< its events
  Overtakers overtakers_;       ///< and readers among them
  Races races_;
  std::unordered_map<const void*, std::uint32_t> numbers_;
  struct Numbered {
    const void* object = nullptr;
    std::uint32_t number = nowhere;
  };
  std::array<Numbered, 64> recent_;   ///< some of these, at hand
  std::vector<const void*> objects_;  ///< by number
  std::vector<Clock> first_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  std::vector<Position> later_;
  std::vector<std::size_t> late_;  ///< choices
  /// A port that an event could have received from.
  struct Open {
    Position at;
    std::uint32_t port;
    std::uint16_t index;
  };
  std::vector<Open> opens_;
  std::vector<Link> late_sends_;
  std::vector<Clock> before_wait_;
  std::vector<Position> earlier_;
};

}  // namespace norn::dpor
