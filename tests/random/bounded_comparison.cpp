// With a bound on preemptions, the strategies must show exactly the behaviours that some run of all has with so many.

#include <fmt/format.h>

#include <algorithm>

#include "comparison.hpp"

namespace random_programs {
namespace {

Behaviours within(const Behaviours& all, unsigned bound) {
  Behaviours some;
  for (const auto& [behaviour, seen] : all)
    if (seen.preemptions <= bound) some[behaviour] = {1, seen.preemptions};
  return some;
}

Behaviours each_once(Behaviours behaviours) {
  for (auto& [behaviour, seen] : behaviours) seen.count = 1;
  return behaviours;
}

bool is_known(const Behaviours& some, const Behaviours& all) {
  return std::all_of(some.begin(), some.end(), [&all](const auto& one) { return all.contains(one.first); });
}

std::string told(const std::string& strategy, unsigned bound, const std::string& what) {
  return what.empty() ? what : fmt::format("  {} --preemptions {}: {}\n", strategy, bound, what);
}

}  // namespace

std::string BoundedComparison::compare(const Subject& subject, bool& other_operations) {
  const Behaviours expected = within(subject.all.behaviours, subject.bound);
  const Exploration some =
      explore_behaviours(subject.engine, subject.program, "exhaustive", subject.worker, subject.bound);
  other_operations = !is_known(some.behaviours, subject.all.behaviours);
  std::string wrong = verdict(some, subject.all, expected);
  if (wrong.empty()) wrong = difference(expected, each_once(some.behaviours));
  if (!wrong.empty()) return told("exhaustive", subject.bound, wrong);
  return told(strategy_, subject.bound, compare_reduced(subject, expected, other_operations));
}

std::string BoundedComparison::compare_reduced(const Subject& subject, const Behaviours& expected,
                                               bool& other_operations) {
  const Exploration some =
      explore_behaviours(subject.engine, subject.program, strategy_, subject.worker, subject.bound);
  if (some.is_unsuitable()) {
    ++unsuitable_;
    return {};
  }
  other_operations = !is_known(some.behaviours, subject.all.behaviours);
  if (auto wrong = verdict(some, subject.all, expected); !wrong.empty()) return wrong;
  if (auto wrong = difference(expected, some.behaviours); !wrong.empty()) return wrong;
  const std::uint64_t runs = some.runs + some.partial_runs;
  const std::uint64_t without_bound = subject.once.runs + subject.once.partial_runs;
  runs_ += runs;
  return runs <= without_bound ? "" : fmt::format("{} runs instead of {} without a bound", runs, without_bound);
}

/// Nothing but the bound may keep an exploration from being complete, and only if it keeps something out.
std::string BoundedComparison::verdict(const Exploration& some, const Exploration& all, const Behaviours& expected) {
  if (!some.error.empty()) return some.error;
  if (some.complete && expected.size() != all.behaviours.size()) return "it claims to be complete";
  return some.complete || some.only_bounded ? "" : "it is incomplete: " + some.reasons;
}

}  // namespace random_programs
