#pragma once

#include "analysis/lock_order.hpp"
#include "explore/strategy.hpp"
#include "support/random.hpp"

namespace norn {

/// Steers runs into a deadlock that lock order predicts (as DeadlockFuzzer does; Joshi, Park, Sen, Naik, PLDI 2009): a
/// thread that is about to take the second lock of its part of the cycle waits there as long as others can move.
class Steer final : public Strategy {
 public:
  Steer(const analysis::LockCycle& cycle, std::uint64_t seed) : cycle_(cycle), seed_(seed) {}

  bool next(Prefix& prefix) override;
  std::size_t choose(const FreeChoice& at) override;
  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }

 private:
  [[nodiscard]] bool should_wait(const FreeChoice& at, ThreadId thread) const;

  const analysis::LockCycle& cycle_;
  std::uint64_t seed_;
  SplitMix64 stream_{0};  ///< of the run at hand
  std::vector<std::size_t> preferred_;
};

}  // namespace norn
