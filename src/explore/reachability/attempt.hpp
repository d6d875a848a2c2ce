#pragma once

#include <span>
#include <vector>

#include "explore/reachability/prefix_run.hpp"
#include "explore/reachability/variant.hpp"
#include "explore/strategy.hpp"

namespace norn::reachability {

/// What the runs of a variant have shown so far of the steps that end them. It takes several runs if some of these come
/// before all the rest has happened.
class Attempt {
 public:
  static constexpr unsigned most_runs = 1000;

  /// That another run begins: its prefix.
  const Prefix& begin(Variant& variant) const;
  /// Whether a choice ends the run, or takes the place of what is to end it.
  [[nodiscard]] bool forbids(const Variant& variant, const PrefixRun& run, Choice choice) const;
  /// Which choice ends the run when nothing else is left to do; give_up if there is none.
  [[nodiscard]] std::size_t find_end(const Variant& variant, const PrefixRun& run,
                                     std::span<const Choice> enabled) const;

  [[nodiscard]] const std::vector<Ending>& found() const { return found_; }
  [[nodiscard]] bool has_found(const Ending& ending) const;
  void find(const Ending& ending) { found_.push_back(ending); }
  void avoid(const Ending& step) { avoided_.push_back(step); }
  /// The next run begins with so many events of this one.
  void go_back(const Trace& trace, std::size_t events);
  [[nodiscard]] bool goes_nowhere() const { return runs_ > most_runs; }

  template <typename Archive>
  void archive(Archive& parts) {
    parts(found_, avoided_, prefix_, runs_);
  }

 private:
  std::vector<Ending> found_;    ///< steps that end the run
  std::vector<Ending> avoided_;  ///< what takes the place of the end
  Prefix prefix_;                ///< until then all went well
  unsigned runs_ = 0;
};

/// The first event that has changed what was to stay as it is until the end: it was tried, because it could have been a
/// look. If there is none, the number of events.
std::size_t find_intruder(const Variant& variant, VisibleReleases releases, std::span<const Event> events);

}  // namespace norn::reachability
