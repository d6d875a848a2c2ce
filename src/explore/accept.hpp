#pragma once

#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "explore/strategy.hpp"
#include "trace/canonical.hpp"
#include "trace/thread_names.hpp"

namespace norn {

/// Looks for a run that exercises a given sequence of synchronization events: one line an event,
/// `thread operation alternative object`, where * is anything. Events of one thread are in the order of the lines, and
/// so are events on one object, which come one directly after the other; nothing else is ordered. Before the first one
/// and after the last one on an object there may be others, and so there may be on objects without a name. The object !
/// means that nothing may come in between at all.
///
/// Objects are names. Lines `= address name` say which objects a name can mean; a name without such a line can mean
/// any. Two names are two objects.
///
/// All that can come in between is tried, and every way to say which events the sequence speaks of, but nothing that
/// comes to the same (the same partial order) twice. So what is not found is not there.
class Accept final : public Strategy {
 public:
  Accept(const std::string& sequence, const ThreadNames& names);

  bool next(Prefix& prefix) override;
  std::size_t choose(const FreeChoice& at) override;
  void learn(const Trace& trace) override;
  [[nodiscard]] bool exhausts() const override { return true; }

  /// All begins anew: other operations are visible now.
  void begin_anew();

  [[nodiscard]] bool is_accepted() const { return accepted_; }
  /// How many events the sequence has.
  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  /// How many of them a run has exercised at most.
  [[nodiscard]] std::size_t reached() const { return reached_; }
  /// What could have happened there, none of which the sequence allows: `thread operation`, and the object.
  [[nodiscard]] const std::vector<std::pair<std::string, std::uintptr_t>>& instead() const { return instead_; }
  /// The events that were to come there.
  [[nodiscard]] std::vector<std::string> expected() const;

 private:
  static constexpr std::size_t none = SIZE_MAX;

  struct Step {
    std::string thread;
    std::string operation;
    std::string alternative;
    std::string object;
  };
  /// What a run has exercised so far.
  struct Progress {
    std::vector<bool> done;
    std::vector<std::pair<std::string, const void*>> objects;  ///< which object a name means
    std::size_t count = 0;
    std::size_t events = 0;
  };
  /// A way to go on: somebody moves, and that is an event of the sequence or is not.
  struct Move {
    Choice choice;
    bool is_part = false;
  };
  /// What something that could happen now would be.
  struct Verdict {
    std::size_t step = none;  ///< of the sequence
    bool may_be_between = false;
    bool is_due = false;  ///< nothing else may happen to the object before
  };

  void add_binding(const std::string& line);
  [[nodiscard]] std::size_t next_of(const std::string& thread, const Progress& progress) const;
  [[nodiscard]] bool is_next_on_object(std::size_t index, const Progress& progress) const;
  [[nodiscard]] bool may_mean(const std::string& name, const void* object, const Progress& progress) const;
  [[nodiscard]] const std::string* awaiting(const void* object, const Progress& progress) const;
  [[nodiscard]] bool is_passed_over(Op op) const;
  [[nodiscard]] Verdict judge(Choice choice, Op op, const void* object, const Progress& progress) const;
  [[nodiscard]] std::vector<Move> moves(const FreeChoice& at) const;
  [[nodiscard]] std::uint64_t state(std::span<const Event> events);
  void follow(std::span<const Event> events);
  void note_stuck(const FreeChoice& at);

  const ThreadNames& names_;
  std::vector<Step> steps_;
  std::map<std::string, std::vector<const void*>> known_;  ///< what names can mean
  bool is_strict_ = false;                                 ///< nothing may come in between
  Progress progress_;
  // The depth-first search over what may come in between.
  std::vector<Move> path_;
  std::vector<std::vector<Move>> untried_;
  CanonicalForm canonical_;
  std::unordered_set<std::uint64_t> states_;  ///< that were seen
  bool started_ = false;
  bool accepted_ = false;
  std::size_t reached_ = 0;
  bool knows_instead_ = false;
  std::vector<std::pair<std::string, std::uintptr_t>> instead_;
  Progress furthest_;
};

}  // namespace norn
