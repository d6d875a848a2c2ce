// Every interleaving of visible operations, by depth-first search over the choices. No reduction at all: this
// is the oracle that every other strategy is tested against. With a bound on preemptions: all that keep to it.

#include "explore/bounded.hpp"
#include "explore/depth_first.hpp"
#include "explore/preemption.hpp"
#include "explore/strategy.hpp"

namespace norn {
namespace {

class Exhaustive final : public Strategy {
 public:
  explicit Exhaustive(bool counts_preemptions) : counts_preemptions_(counts_preemptions) {}

  bool next(Prefix& prefix) override { return search_.next(prefix); }
  std::size_t choose(const FreeChoice&) override { return 0; }

  void learn(const Trace& trace) override {
    if (counts_preemptions_) count_preemptions(trace);
    auto choices = trace.choices;
    for (const Event& event : trace.events.subspan(trace.prefix)) {
      // In reverse, so that they are tried in order.
      for (std::size_t i = event.enabled; i-- > 1;) search_.leave(choices[i]);
      search_.add(choices.front());
      choices = choices.subspan(event.enabled);
    }
    search_.end_run();
  }

  [[nodiscard]] bool exhausts() const override { return true; }
  [[nodiscard]] std::optional<unsigned> preemptions() const override {
    if (!counts_preemptions_) return {};
    return turns_.empty() ? 0 : turns_.back().preemptions;
  }

  [[nodiscard]] std::vector<Piece> pieces() const override { return search_.pieces(); }
  void take_over(std::span<const Piece> pieces) override {
    search_.take_over(pieces);
    // Those of its prefix are not known.
    counts_preemptions_ &= search_.is_from_start();
  }

 private:
  /// Who had the turn before a step of the run at hand, and how many preemptions there were with that step.
  struct Turn {
    ThreadId last;  ///< no_thread if it could not go on
    unsigned preemptions;
  };

  /// The choices at the steps of the prefix were seen when these were new. Only the last of them is another one now.
  void count_preemptions(const Trace& trace) {
    turns_.resize(trace.prefix);
    const auto so_far = [this] { return turns_.size() < 2 ? 0 : turns_[turns_.size() - 2].preemptions; };
    if (!turns_.empty()) {
      Turn& turn = turns_.back();
      turn.preemptions = so_far() + (turn.last != no_thread && trace.events[trace.prefix - 1].thread != turn.last);
    }
    auto choices = trace.choices;
    for (std::size_t i = trace.prefix; i < trace.events.size(); ++i) {
      const auto enabled = choices.first(trace.events[i].enabled);
      const ThreadId last = i == 0 ? no_thread : trace.events[i - 1].thread;
      const bool takes_turn = is_preemption(last, trace.events[i].thread, enabled);
      turns_.push_back({can_move(last, enabled) ? last : no_thread, 0});
      turns_.back().preemptions = so_far() + takes_turn;
      choices = choices.subspan(enabled.size());
    }
  }

  bool counts_preemptions_;
  DepthFirst search_;
  std::vector<Turn> turns_;
};

/// Every interleaving with so many preemptions.
class ExhaustiveWithin final : public Strategy {
 public:
  explicit ExhaustiveWithin(unsigned bound) : search_(bound), bound_(static_cast<int>(bound)) {}

  bool next(Prefix& prefix) override { return search_.next(prefix); }
  std::size_t choose(const FreeChoice& at) override { return search_.choose(at); }
  void learn(const Trace& trace) override { search_.learn(trace); }
  [[nodiscard]] bool exhausts() const override { return true; }
  [[nodiscard]] std::string leaves_out() const override { return search_.exhausts() ? "" : beyond_preemptions(bound_); }
  [[nodiscard]] std::vector<Piece> pieces() const override { return search_.pieces(); }
  void take_over(std::span<const Piece> pieces) override { search_.take_over(pieces); }

 private:
  BoundedSearch search_;
  int bound_;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const Options& options) {
  if (options.bounds_preemptions())
    return std::make_unique<ExhaustiveWithin>(static_cast<unsigned>(options.preemptions));
  return std::make_unique<Exhaustive>(options.list_behaviours);
}

}  // namespace norn
