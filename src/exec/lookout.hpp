#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "exec/engine.hpp"
#include "explore/standing.hpp"

namespace norn::exec {

/// All that another process of the same program needs to go on with an exploration.
struct Checkpoint {
  std::string layout;             ///< of the process (exec/layout.hpp)
  std::vector<Identity> threads;  ///< whose slots are which
  LearnedFacts facts;
  Standing standing;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(layout, threads, facts, standing);
  }
};

/// The checkpoint that the command sends after the options; ends the process with a sentence if it is none of this
/// program. The threads are in `descent` then.
Checkpoint read_checkpoint(std::size_t size, const Descent& descent);

/// Tells the command how an exploration gets on: what its user sees meanwhile, and checkpoints for its file. Neither
/// more often than anybody needs, nor so often that it takes more than a small part of the time.
class Lookout {
 public:
  Lookout(const Options& options, const Descent& descent);

  using Clock = std::chrono::steady_clock;

  /// Whether it is time to look.
  [[nodiscard]] bool is_due() const { return Clock::now() >= next_; }
  /// How long it is until then, in seconds.
  [[nodiscard]] double pause() const { return std::chrono::duration<double>(next_ - Clock::now()).count(); }
  /// How often that is if looking costs nothing, in seconds.
  [[nodiscard]] double period() const { return period_; }

  /// What somebody sees who began to look at `begin`.
  void look(const Progress& progress, const std::function<Standing()>& standing, const LearnedFacts& facts,
            Clock::time_point begin);
  /// What the command is told when all is explored and schedules are made simpler.
  struct Minimising {
    std::size_t bug = 1;
    std::size_t bugs = 1;
    std::uint64_t runs = 0;
  };
  /// After a run of this; most of the time nobody needs to know yet.
  void look(const Minimising& state);
  /// When the exploration ends; true if somebody can go on from there.
  bool look_last(const std::function<Standing()>& standing, const LearnedFacts& facts);

 private:
  void save(Standing standing, const LearnedFacts& facts);

  const Options& options_;
  const Descent& descent_;
  double period_;
  std::string layout_;  ///< of this process, once it is known
  Clock::time_point saved_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace norn::exec
