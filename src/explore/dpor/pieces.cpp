// Work that others can do: a graph with some of the graphs that are still to be derived from it. Nothing else of what
// the strategy knows is needed for that.

#include <algorithm>

#include "explore/dpor/dpor.hpp"
#include "support/archive.hpp"

namespace norn::dpor {
namespace {

/// Objects have other numbers elsewhere.
struct Work {
  Frame frame;
  std::vector<std::pair<std::uint32_t, const void*>> objects;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(frame, objects);
  }
};

template <typename Function>
void for_each_node(Frame& frame, Function function) {
  for (auto* nodes : {&frame.nodes, &frame.reads})
    for (Node& node : *nodes) function(node);
  for (auto* endings : {&frame.endings, &frame.ends})
    for (Ending& ending : *endings) function(ending.node);
  if (frame.end) function(frame.end->node);
}

}  // namespace

Piece Dpor::piece_of(Frame frame, Size size) const {
  Work work{std::move(frame), {}};
  for_each_node(work.frame, [&](const Node& node) { work.objects.emplace_back(node.object, objects_[node.object]); });
  std::sort(work.objects.begin(), work.objects.end());
  work.objects.erase(std::unique(work.objects.begin(), work.objects.end()), work.objects.end());
  return {pack(work), size};
}

/// How much is derived from each frame, itself included, as far as can be foreseen.
std::vector<Size> Dpor::sizes() const {
  std::vector<Size> sizes(depth_);
  for (std::size_t i = depth_; i-- > 0;) {
    const Frame& frame = frames_[i];
    const Size* current = i + 1 < depth_ && frames_[i + 1].is_derived ? &sizes[i + 1] : nullptr;
    sizes[i] = frame.done.others(frame.children.size(), current, variety_);
    sizes[i].runs += frame.done.runs() + (frame.is_execution || frame.is_open() ? 1 : 0);
    if (current != nullptr) sizes[i] += *current;
  }
  return sizes;
}

std::vector<Piece> Dpor::pieces() const {
  if (!started_) return {{}};
  std::vector<Piece> pieces;
  const std::vector<Size> all = sizes();
  for (std::size_t i = 0; i < depth_; ++i) {
    const Frame& frame = frames_[i];
    const std::size_t children = frame.children.size();
    if (children == 0 && !frame.is_open()) continue;
    const Size* current = i + 1 < depth_ && frames_[i + 1].is_derived ? &all[i + 1] : nullptr;
    const auto add = [&](std::size_t from, std::size_t to) {
      Frame part = frame;
      part.children.assign(frame.children.begin() + static_cast<std::ptrdiff_t>(from),
                           frame.children.begin() + static_cast<std::ptrdiff_t>(to));
      pieces.push_back(piece_of(std::move(part), frame.done.others(to - from, current, variety_)));
    };
    // The first one can be divided, unless it is to be run once more.
    const std::size_t half = pieces.empty() && !frame.is_open() ? children / 2 : 0;
    if (half != 0) add(0, half);
    add(half, children);
  }
  return pieces;
}

void Dpor::take_over(std::span<const Piece> pieces) {
  depth_ = 0;
  started_ = pieces.size() != 1 || !pieces.front().work.empty();
  if (!started_) return;
  for (const Piece& piece : pieces) {
    Work work = unpack<Work>(piece.work);
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    for (const auto& [number, object] : work.objects) numbers[number] = number_of(object);
    for_each_node(work.frame, [&](Node& node) { node.object = numbers.at(node.object); });
    // Histories are made of these numbers.
    for (Child& child : work.frame.children) child.history = 0;
    push() = std::move(work.frame);
    has_readers_ |= std::any_of(top().nodes.begin(), top().nodes.end(), [](const Node& node) { return node.shares; });
  }
}

}  // namespace norn::dpor
