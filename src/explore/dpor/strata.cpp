// How much is left, by a survey (explore/survey.hpp). A stratum is how many events are free in a graph: those that its
// run adds. What was given stays as it is, by and large, so the more there are, the more can be derived. Measured, the
// logarithm of how much that is grows about evenly with them, and differs little between graphs with the same number.

#include <algorithm>

#include "explore/dpor/dpor.hpp"

namespace norn::dpor {
namespace {

std::size_t bytes_of(const Frame& frame) {
  const std::size_t clocks = frame.rows.size() + frame.pasts.size() + frame.releases.size();
  return frame.nodes.size() * sizeof(Node) + frame.children.size() * sizeof(Child) + clocks * sizeof(Clock);
}

}  // namespace

/// The next graph comes from the last frame, in any order, or from wherever the survey wants to look.
Survey::Branch Dpor::next_branch() {
  if (survey_.is_due(runs_)) has_room_for_probe() ? begin_probe() : survey_.put_off(runs_);
  if (survey_.is_on())
    if (const auto branch = survey_.next(runs_)) return *branch;
  return {depth_ - 1, order_.below(top().children.size())};
}

/// What a probe looks at stays, so there are only as many as memory allows, whatever there is to explore.
bool Dpor::has_room_for_probe() const {
  constexpr std::size_t most_bytes = 3'000'000;
  std::size_t bytes = bytes_of(top()) * strata_in_a_run / 2;
  for (std::size_t i = 0; i < depth_; ++i) bytes += bytes_of(*frames_[i]);
  return bytes <= most_bytes;
}

void Dpor::begin_probe() {
  if (survey_.has_seen_nothing()) grain_ = std::max<std::size_t>(1, top().nodes.size() / strata_in_a_run);
  note_foreseen();
  survey_.begin();
  for (std::size_t i = 0; i < depth_; ++i) offer_children(i);
}

void Dpor::note_foreseen() {
  if (!hindsight_.is_due(runs_)) return;
  std::vector<std::vector<Survey::Stratum>> left(1);
  for (std::size_t i = 0; i < depth_; ++i)
    for (const Child& child : frames_[i]->children) left.front().push_back(stratum_of(*frames_[i], child));
  if (const auto sizes = survey_.sizes(left)) hindsight_.note(runs_, static_cast<double>(runs_) + sizes->front().runs);
}

void Dpor::offer_children(std::size_t point) {
  const Frame& frame = *frames_[point];
  for (std::size_t i = 0; i < frame.children.size(); ++i)
    survey_.offer(stratum_of(frame, frame.children[i]), {point, i});
}

/// Lower than that of the graph it is derived from, even if more events are free.
Survey::Stratum Dpor::stratum_of(const Frame& from, std::size_t given) const {
  const auto free = static_cast<std::int64_t>(from.nodes.size()) - static_cast<std::int64_t>(given);
  const auto grain = static_cast<std::int64_t>(grain_);
  return static_cast<Survey::Stratum>(std::min<std::int64_t>((free + grain - 1) / grain, from.stratum - 1));
}

/// The same before it has been derived.
Survey::Stratum Dpor::stratum_of(const Frame& from, const Child& child) const {
  if (child.kind == Child::Kind::cut) return stratum_of(from, 0);
  if (child.kind != Child::Kind::revisit) return stratum_of(from, child.length + 1);
  const std::uint32_t until = from.nodes[child.target].stamp;
  const Clock* needs = from.past(child.past);
  const auto stays = [&](const Node& node) { return node.stamp < until || knows(needs, node); };
  const auto kept = std::count_if(from.nodes.begin(), from.nodes.begin() + child.length, stays);
  return stratum_of(from, static_cast<std::size_t>(kept) + 1);
}

/// How much there is in each of several parts of what is left. Before this process has looked around, others may have.
std::vector<Size> Dpor::sizes(std::span<const std::vector<Survey::Stratum>> parts) const {
  if (auto sizes = survey_.sizes(parts)) {
    hindsight_.correct(*sizes, runs_);
    return std::move(*sizes);
  }
  std::vector<double> shares;
  for (const auto& part : parts) shares.push_back(static_cast<double>(part.size()));
  const auto done = static_cast<double>(runs_ - runs_before_);
  const auto less = [done](double runs) { return std::max(0.0, runs - done); };
  return divided({less(taken_over_.runs), less(taken_over_.low), less(taken_over_.high)}, shares);
}

}  // namespace norn::dpor
