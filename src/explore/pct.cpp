// Probabilistic concurrency testing: S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, "A randomized
// scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010.
//
// Every thread gets a random priority, the enabled thread with the highest one always runs, and at d - 1 random
// steps the running thread's priority drops below all others. A run finds a bug of depth d with a probability
// of at least 1 / (n * k^(d-1)), where n bounds the threads and k the steps of a run.

#include <fmt/format.h>

#include <algorithm>

#include "explore/sampling.hpp"
#include "support/mathematics.hpp"

namespace norn {
namespace {

class Pct final : public Sampling {
 public:
  explicit Pct(const Options& options) : Sampling(options), depth_(std::max(1U, options.pct_depth)) {}

  bool next(Prefix& prefix) override {
    if (!begin_run(prefix, stream_)) return false;
    priorities_.clear();
    change_points_.clear();
    for (unsigned i = 1; i < depth_; ++i)
      change_points_.push_back(static_cast<std::uint32_t>(stream_.below(std::max(1U, steps_))));
    return true;
  }

  std::size_t choose(const FreeChoice& at) override {
    std::size_t best = highest(at.enabled);
    for (std::size_t i = 0; i < change_points_.size(); ++i) {
      if (change_points_[i] != at.step) continue;
      // The paper's low priorities 1..d-1, all below those that threads start with.
      priorities_[at.enabled[best].thread] = i + 1;
      best = highest(at.enabled);
    }
    return one_alternative(at.enabled, best, stream_);
  }

  void learn(const Trace& trace) override {
    steps_ = std::max(steps_, static_cast<std::uint32_t>(trace.events.size()));
    threads_ = std::max(threads_, trace.threads);
  }

  [[nodiscard]] std::string guarantee() const override {
    const double chance = 1.0 / (threads_ * power(static_cast<double>(std::max(1U, steps_)), depth_ - 1.0));
    return fmt::format(
        "each run finds a bug of depth {} with probability at least 1/(n*k^{}) = {:.3g} (n = {} threads, k = {} steps)",
        depth_, depth_ - 1, chance, threads_, steps_);
  }

 private:
  std::uint64_t priority(ThreadId thread) {
    while (priorities_.size() <= thread) priorities_.push_back(stream_() | std::uint64_t{1} << 63);
    return priorities_[thread];
  }

  std::size_t highest(std::span<const Choice> enabled) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < enabled.size(); ++i)
      if (priority(enabled[i].thread) > priority(enabled[best].thread)) best = i;
    priority(enabled[best].thread);
    return best;
  }

  unsigned depth_;
  std::uint32_t steps_ = 1;
  std::uint32_t threads_ = 1;
  SplitMix64 stream_{0};
  std::vector<std::uint64_t> priorities_;
  std::vector<std::uint32_t> change_points_;
};

}  // namespace

std::unique_ptr<Strategy> make_pct(const Options& options) { return std::make_unique<Pct>(options); }

}  // namespace norn
