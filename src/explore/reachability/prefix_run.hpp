#pragma once

#include <span>
#include <vector>

#include "explore/reachability/variant.hpp"
#include "explore/strategy.hpp"

namespace norn::reachability {

/// A run that exercises a variant: which choices it allows. Nothing is ordered that the variant does not order.
class PrefixRun {
 public:
  void begin(const Variant& variant);
  /// Tells what has happened; `events` are all events of the run.
  void follow(std::span<const Event> events);
  [[nodiscard]] bool allows(Choice choice, const Upcoming& upcoming) const;

 private:
  struct Received {
    ThreadId sender;
    const void* port;
    std::uint32_t count;
  };

  [[nodiscard]] bool allows_message(Choice choice, const Upcoming& upcoming) const;
  [[nodiscard]] bool allows_call(Choice choice, const Upcoming& upcoming) const;
  [[nodiscard]] std::uint32_t events_of(ThreadId thread) const { return thread < events_.size() ? events_[thread] : 0; }
  [[nodiscard]] std::uint32_t received(ThreadId sender, const void* port) const;

  const Variant* variant_ = nullptr;
  std::size_t seen_ = 0;
  std::vector<std::uint32_t> events_;     ///< of each thread
  std::vector<std::uint32_t> completed_;  ///< on each object of the variant
  std::vector<Received> received_;
};

}  // namespace norn::reachability
