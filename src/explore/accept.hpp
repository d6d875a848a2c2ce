#pragma once

#include <string>
#include <utility>
#include <vector>

#include "explore/strategy.hpp"
#include "trace/thread_names.hpp"

namespace norn {

/// Looks for a run that exercises a given sequence of synchronization events: one line an event,
/// `thread operation alternative object`, where * is anything. Events of one thread are in the order of the lines, and
/// so are events on one object; nothing else is ordered. Objects are names: which object a name means is found out by
/// the first event that has it. Events on objects that the sequence does not name may come in between. The object !
/// means that nothing may: such events come one after the other.
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
  /// How many events of the sequence a run has exercised at most.
  [[nodiscard]] std::size_t reached() const { return reached_; }
  /// What could have happened there, none of which the sequence allows: `thread operation`.
  [[nodiscard]] const std::vector<std::string>& instead() const { return instead_; }
  /// The events that were to come there.
  [[nodiscard]] std::vector<std::string> expected() const;

 private:
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
  enum class Verdict { part, between, wrong };

  [[nodiscard]] const Step* next_of(const std::string& thread, const Progress& progress, std::size_t& index) const;
  [[nodiscard]] bool is_next_on_object(std::size_t index, const Progress& progress) const;
  [[nodiscard]] Verdict judge(Choice choice, Op op, const void* object, const Progress& progress,
                              std::size_t& index) const;
  [[nodiscard]] bool is_awaited(const void* object, const Progress& progress) const;
  void follow(std::span<const Event> events);
  void note_stuck(const FreeChoice& at);

  const ThreadNames& names_;
  std::vector<Step> steps_;
  Progress progress_;
  // The depth-first search over what may come in between.
  Prefix path_;
  std::vector<Prefix> untried_;
  bool started_ = false;
  bool accepted_ = false;
  std::size_t reached_ = 0;
  bool knows_instead_ = false;
  std::vector<std::string> instead_;
  Progress furthest_;
};

}  // namespace norn
