#include "explore/findings.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace norn {
namespace {

template <typename T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

/// What is not there yet.
template <typename T, typename Same>
void unite(std::vector<T>& to, const std::vector<T>& from, Same same) {
  for (const T& value : from)
    if (std::none_of(to.begin(), to.end(), [&](const T& other) { return same(other, value); })) to.push_back(value);
}

}  // namespace

void Findings::merge(Findings&& other) {
  executions += other.executions;
  partial_runs += other.partial_runs;
  deadlocks += other.deadlocks;
  events += other.events;
  threads_max = std::max(threads_max, other.threads_max);
  operations |= other.operations;
  for (const auto& [end, runs_cut] : other.cuts) cuts[end] += runs_cut;
  exhausts &= other.exhausts;
  if (!other.leaves_out.empty()) leaves_out = other.leaves_out;
  if (unsuitable.empty()) unsuitable = other.unsuitable;
  if (meant_for.empty()) meant_for = other.meant_for;
  if (!other.guarantee.empty()) guarantee = other.guarantee;
  if (!other.finished.empty()) finished = other.finished;
  if (!other.coverage.empty()) coverage = other.coverage;
  for (Bug& bug : other.bugs) keep(bugs, std::move(bug));
  for (Bug& warning : other.warnings) keep(warnings, std::move(warning));
  for (const auto& [ending, count] : other.outcomes) outcomes[ending] += count;
  append(behaviours, std::move(other.behaviours));
  append(runs, std::move(other.runs));
  race_tables.merge(other.race_tables);
  unite(notes, other.notes, std::equal_to<>());
  for (analysis::KnownEdge& edge : other.lock_order) add(lock_order, std::move(edge));
}

}  // namespace norn
