// Partial order sampling: X. Yuan, J. Yang, R. Gu, "Partial order aware concurrency sampling", CAV 2018, section 3.
//
// Every event that is about to happen has a random priority, and the one with the highest goes. Those that race with it
// draw again: without that, an event that lost against one would be likely to lose against the next one as well, and
// orders that need it between the two would be rare.

#include "explore/sampling.hpp"
#include "trace/dependency.hpp"

namespace norn {
namespace {

class Pos final : public Sampling {
 public:
  explicit Pos(const Options& options) : Sampling(options) {}

  bool next(Prefix& prefix) override {
    pending_.clear();
    return begin_run(prefix, stream_);
  }

  std::size_t choose(const FreeChoice& at) override {
    std::size_t best = 0;
    for (std::size_t i = 0; i < at.enabled.size(); ++i) {
      look_at(at.enabled[i].thread, *at.threads);
      if (pending_[at.enabled[i].thread].priority > pending_[at.enabled[best].thread].priority) best = i;
    }
    const Pending going = pending_[at.enabled[best].thread];
    for (const Choice& choice : at.enabled)
      if (race(pending_[choice.thread], going)) pending_[choice.thread].op = Op::none;
    pending_[at.enabled[best].thread].op = Op::none;
    return one_alternative(at.enabled, best, stream_);
  }

  void learn(const Trace&) override {}

 private:
  /// What a thread is about to do, as of when it drew the priority. Op::none: it has to draw again.
  struct Pending {
    Op op = Op::none;
    const void* object = nullptr;
    bool commutes = false;  ///< with others of its kind
    std::uint64_t priority = 0;
  };

  void look_at(ThreadId thread, const ThreadsView& threads) {
    if (thread >= pending_.size()) pending_.resize(thread + 1U);
    Pending& pending = pending_[thread];
    const Upcoming upcoming = threads.upcoming(thread);
    if (pending.op == upcoming.op && pending.object == upcoming.object) return;
    // What may write does, if it finds what it expects.
    const Foreseen foreseen = foresee(upcoming.op, upcoming.argument, thread, upcoming.argument);
    pending = {upcoming.op, upcoming.object, foreseen == Foreseen::reads || foreseen == Foreseen::shares, stream_()};
  }

  static bool race(const Pending& one, const Pending& other) {
    return one.object == other.object && !(one.commutes && other.commutes);
  }

  SplitMix64 stream_{0};
  std::vector<Pending> pending_;  ///< by thread
};

}  // namespace

std::unique_ptr<Strategy> make_pos(const Options& options) { return std::make_unique<Pos>(options); }

}  // namespace norn
