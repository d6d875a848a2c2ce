#pragma once

#include <string>
#include <vector>

#include "explore/strategy.hpp"
#include "trace/thread_names.hpp"

namespace norn {

/// Follows a recorded schedule: one line an event, `thread operation alternative`.
class Replay final : public Strategy {
 public:
  Replay(const std::string& schedule, const ThreadNames& names);

  bool next(Prefix& prefix) override;
  std::size_t choose(const FreeChoice& at) override;
  [[nodiscard]] bool insists_on(std::uint32_t step, ThreadId thread) const override;
  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }

  /// Where and how the run differs from the recording; empty if it does not.
  [[nodiscard]] std::string divergence(const Trace& trace) const;

 private:
  struct Step {
    std::string thread;
    std::string operation;
    std::string alternative;
  };

  [[nodiscard]] bool matches(const Step& step, Choice choice) const;

  const ThreadNames& names_;
  std::vector<Step> steps_;
};

}  // namespace norn
