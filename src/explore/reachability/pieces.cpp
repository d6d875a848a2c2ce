// Work that others can do: sequences with what is left of their variants.

#include <algorithm>

#include "explore/path.hpp"
#include "explore/reachability/reachability.hpp"
#include "support/archive.hpp"

namespace norn::reachability {

std::vector<Piece> Reachability::pieces() const {
  if (!started_) return {{}};
  std::vector<Piece> pieces = waiting_;
  const std::vector<Size> sizes = sizes_left();
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    Frame frame = frames_[i];
    pieces.push_back({pack(frame), sizes[i]});
  }
  return pieces;
}

void Reachability::take_over(std::span<const Piece> pieces) {
  frames_.clear();
  waiting_.assign(pieces.begin(), pieces.end());
  started_ = pieces.size() != 1 || !pieces.front().work.empty();
  if (!started_) waiting_.clear();
  knows_all_ = !started_;
  variant_ = {};
  changes_ = {};
  attempt_ = {};
}

bool Reachability::begin_piece() {
  if (waiting_.empty()) return false;
  Unpacker unpacker(waiting_.back().work);
  unpacker(frames_.emplace_back());
  releases_ = frames_.back().releases;
  waiting_.pop_back();
  return true;
}

std::vector<Size> Reachability::sizes_left() const {
  std::vector<double> shares(frames_.size());
  double explored = 0;
  double weight = 1;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const auto [before, row] = frames_[i].table.place();
    const double done = i + 1 == frames_.size() ? before + row : before;
    explored += weight * done;
    shares[i] = weight * (1 - before - row);
    weight *= row;
  }
  if (!knows_all_ || t_ != 0 || explored <= 0) return std::vector<Size>(frames_.size());
  const double left = static_cast<double>(runs_) * (1 / explored - 1);
  return divided(sure({left, left * left}), shares);
}

}  // namespace norn::reachability
