#pragma once

#include <array>
#include <vector>

#include "explore/dpor/causality.hpp"
#include "explore/dpor/foresight.hpp"
#include "explore/dpor/node.hpp"

namespace norn::dpor {

/// What can be foreseen of the graphs derived from a run.
struct Ahead {
  const Foresight* foresight = nullptr;
  const Histories* histories = nullptr;  ///< until the event that has just been added; nullptr: nothing is known
  const Causality* causality = nullptr;
  ThreadId last = no_thread;          ///< who moved last in the run
  Position last_of_others = nowhere;  ///< the last event that was not its; if the run ended well

  /// From this length on only the thread moved: the others are done.
  [[nodiscard]] bool is_alone(ThreadId thread, Position length) const {
    return thread == last && last_of_others != nowhere && last_of_others < length;
  }
};

/// Finds the graphs that are to be derived from one graph: all ways in which an event that has just been added could
/// have come before an event that was there already.
class Races {
 public:
  /// `keeps_pasts`: of placed events as well.
  void begin(Frame& frame, bool readers_ordered, bool keeps_pasts, const Ahead& ahead) {
    frame_ = &frame;
    readers_ordered_ = readers_ordered;
    keeps_pasts_ = keeps_pasts;
    ahead_ = ahead;
  }

  /// `last` is the last event on the candidate's object, `past` what the candidate needs apart from it. `state` is that
  /// of the object where the candidate was added or waits. Only events that are older than `until` are revisited.
  void find(const Candidate& candidate, Position length, Position last, const Clock* past, std::uint64_t state,
            std::uint32_t until = UINT32_MAX);
  void receive_instead(Position length, Position target, std::uint16_t alternative, const Clock* past);

 private:
  [[nodiscard]] bool writes_nowhere(Op op) const;
  bool overtake(const Candidate& candidate, Position length, Position i, const Clock* past, Foreseen foreseen,
                std::uint64_t state, std::uint32_t until);
  void place(const Candidate& candidate, Position length, Position write, const Clock* past);
  void revisit(const Candidate& candidate, Position length, Position target, const Clock* past, Foreseen foreseen);
  void revisit_after_readers(const Candidate& candidate, Position length, Position target, Position from,
                             const Clock* past);
  void revisit_with(const Candidate& candidate, Position length, Position target, const Clock* past);
  [[nodiscard]] std::uint32_t latest_choice_unknown_to(const Clock* past) const;
  [[nodiscard]] bool is_overtaken_by_end(const Candidate& candidate, const Node& node) const;
  bool wait_for_readers(Clock* past, Position target);
  [[nodiscard]] bool needs_dropped_reader(const Clock* needs, Position target, const Clock* past) const;
  bool may_drop_from(Position target, Position length, const Clock* past);
  bool drops_read_before_kept_write(Position length, Position target, const Clock* past);
  [[nodiscard]] std::uint64_t history_after(const Candidate& candidate, const Node* write) const;
  [[nodiscard]] const Node* kept_write_before(Position target, const Clock* needs) const;
  [[nodiscard]] bool is_in_vain(std::uint64_t history, ThreadId thread, Position length, const Clock* past) const;
  [[nodiscard]] bool goes_round(const Candidate& candidate, std::uint64_t sees, Position length,
                                const Clock* past) const;
  [[nodiscard]] bool is_in_vain(Round round, ThreadId thread, Position length, const Clock* past) const;
  bool can_be_placed(Position length, Position write, const Clock* past);
  std::uint32_t keep(const Clock* past);
  void set_flag(std::uint32_t object);
  [[nodiscard]] bool has_flag(std::uint32_t object) const { return object < marks_.size() && marks_[object] == mark_; }

  Frame* frame_ = nullptr;
  bool readers_ordered_ = false;
  bool keeps_pasts_ = false;
  Ahead ahead_;
  Position last_ = nowhere;           ///< event on the object of the candidate
  std::vector<std::uint32_t> marks_;  ///< by object
  std::uint32_t mark_ = 0;
  std::vector<Clock> first_;  ///< by thread: the first event that depends on the one in question
};

/// Whether `is_it` holds for one of the rounds that a thread may be in if it looks at something after the first nodes,
/// so many: one that begins there, or with one of its looks before that.
template <typename Function>
bool any_round(const Frame& frame, Position length, ThreadId thread, std::uint64_t whereabouts, std::uint64_t sees,
               Function is_it) {
  constexpr std::size_t longest = 8;
  std::array<const Node*, longest> looks;  // the last one first
  std::size_t count = 0;
  const auto is_one = [&] {
    Round round;
    for (std::size_t i = count; i-- > 0;) round.look(looks[i]->whereabouts, looks[i]->before);
    round.look(whereabouts, sees);
    return is_it(round);
  };
  if (is_one()) return true;
  for (Position i = length; i-- > 0 && count != longest;) {
    const Node& node = frame.nodes[i];
    if (node.thread != thread) continue;
    if (node.whereabouts == 0) return false;
    looks[count++] = &node;
    if (is_one()) return true;
  }
  return false;
}

/// The events of `frame` before `length` that depend on `write` one way or another, told apart by `depends`, called for
/// each position from `write` on.
template <typename Function>
void for_each_dependent(const Frame& frame, Position length, Position write, std::vector<Clock>& first,
                        std::vector<std::uint32_t>& marks, std::uint32_t mark, Function function) {
  first.assign(frame.width, UINT32_MAX);
  for (Position i = write; i < length; ++i) {
    const Node& node = frame.nodes[i];
    const Clock* row = frame.row(i);
    if (node.object >= marks.size()) marks.resize(node.object + 1U, 0);
    bool depends = i == write || (node.effect == Effect::write && marks[node.object] == mark);
    for (unsigned t = 0; t < frame.width && !depends; ++t) depends = first[t] <= row[t];
    if (depends) {
      if (first[node.thread] > node.index) first[node.thread] = node.index;
      if (node.effect == Effect::read) marks[node.object] = mark;
    }
    function(i, depends);
  }
}

}  // namespace norn::dpor
