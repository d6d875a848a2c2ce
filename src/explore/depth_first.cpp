#include "explore/depth_first.hpp"

#include "support/archive.hpp"

namespace norn {

bool DepthFirst::next(Prefix& prefix, std::size_t longest) {
  if (!started_) {
    started_ = true;
    prefix.clear();
    return true;
  }
  while (!steps_.empty() && (steps_.back().untried == 0 || steps_.size() > longest)) drop_last();
  if (steps_.empty() && !begin_piece()) return false;
  take_next_sibling();
  prefix.assign(prefix_.begin(), prefix_.end());
  return true;
}

void DepthFirst::drop_last() {
  const Step& step = steps_.back();
  const Branches done = step.done;
  siblings_.resize(siblings_.size() - step.untried);
  steps_.pop_back();
  prefix_.pop_back();
  done.tell(variety_);
  if (!steps_.empty()) steps_.back().done.add(done.runs());
}

void DepthFirst::take_next_sibling() {
  --steps_.back().untried;
  prefix_.back() = siblings_.back();
  siblings_.pop_back();
}

std::uint32_t DepthFirst::preemptions() const {
  if (steps_.empty()) return 0;
  const Step& step = steps_.back();
  return step.preemptions + (step.last != no_thread && prefix_.back().thread != step.last);
}

/// Steps near the root have most of what is left and are pieces of their own. What is left after so many of them is one
/// piece, because each comes with the path that leads to it.
std::vector<Piece> DepthFirst::pieces() const {
  constexpr std::size_t most_pieces = 64;
  if (!started_) return {{}};
  std::vector<Piece> pieces = waiting_;
  const std::vector<Size> sizes = sizes_left(steps_, variety_);
  Work work;
  Size size;
  std::size_t first_sibling = 0;
  const auto add = [&] {
    if (work.left.empty()) return;
    work.prefix.assign(prefix_.begin(), prefix_.begin() + work.left.back().steps);
    if (pieces.empty() && work.left.front().siblings.size() > 1) pieces.push_back(halve(work, size));
    pieces.push_back({pack(work), size});
    work = {};
    size = {};
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (step.untried == 0) continue;
    const auto siblings = std::span(siblings_).subspan(first_sibling, step.untried);
    first_sibling += step.untried;
    work.left.push_back(
        {static_cast<std::uint32_t>(i), {siblings.begin(), siblings.end()}, step.preemptions, step.last});
    size += sizes[i];
    if (pieces.size() < most_pieces) add();
  }
  add();
  return pieces;
}

/// Takes the first half of the choices at one step out of `work`.
Piece DepthFirst::halve(Work& work, Size& size) {
  Left& left = work.left.front();
  const auto all = static_cast<double>(left.siblings.size());
  const auto middle = left.siblings.begin() + static_cast<std::ptrdiff_t>(left.siblings.size() / 2);
  Work half{work.prefix, {{left.steps, {left.siblings.begin(), middle}, left.preemptions, left.last}}};
  left.siblings.erase(left.siblings.begin(), middle);
  const double share = static_cast<double>(left.siblings.size()) / all;
  Piece piece{pack(half), size * (1 - share)};
  size = size * share;
  return piece;
}

void DepthFirst::take_over(std::span<const Piece> pieces) {
  steps_.clear();
  prefix_.clear();
  siblings_.clear();
  started_ = took_over_ = pieces.size() != 1 || !pieces.front().work.empty();
  waiting_.clear();
  if (started_) waiting_.assign(pieces.begin(), pieces.end());
}

bool DepthFirst::begin_piece() {
  if (waiting_.empty()) return false;
  Work work = unpack<Work>(waiting_.back().work);
  waiting_.pop_back();
  steps_.assign(work.prefix.size() + 1, {0, 0, no_thread, {}});
  for (const Left& left : work.left) {
    steps_[left.steps] = {static_cast<std::uint32_t>(left.siblings.size()), left.preemptions, left.last, {}};
    siblings_.insert(siblings_.end(), left.siblings.begin(), left.siblings.end());
  }
  prefix_ = std::move(work.prefix);
  prefix_.emplace_back();
  return true;
}

}  // namespace norn
