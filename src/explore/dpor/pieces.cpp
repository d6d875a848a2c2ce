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
  bool has_readers;

  template <typename Archive>
  void archive(Archive& parts) {
    parts(frame, objects, has_readers);
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

std::string Dpor::work_of(Frame frame) const {
  Work work{std::move(frame), {}, has_readers_};
  for_each_node(work.frame, [&](const Node& node) { work.objects.emplace_back(node.object, objects_[node.object]); });
  std::sort(work.objects.begin(), work.objects.end());
  work.objects.erase(std::unique(work.objects.begin(), work.objects.end()), work.objects.end());
  return pack(work);
}

std::vector<Piece> Dpor::pieces() const {
  if (!started_) return {{}};
  std::vector<Piece> pieces;
  std::vector<std::vector<Survey::Stratum>> strata;
  for (std::size_t i = 0; i < depth_; ++i) {
    const Frame& frame = *frames_[i];
    const std::span<const Child> children = frame.children;
    if (children.empty() && !frame.is_open()) continue;
    const auto add = [&](std::span<const Child> some) {
      Frame part = frame;
      part.children.assign(some.begin(), some.end());
      pieces.push_back({work_of(std::move(part)), {}});
      strata.emplace_back();
      for (const Child& child : some) strata.back().push_back(stratum_of(frame, child));
    };
    // The first one can be divided, unless it is to be run once more.
    const std::size_t half = pieces.empty() && !frame.is_open() ? children.size() / 2 : 0;
    if (half != 0) add(children.first(half));
    add(children.subspan(half));
  }
  const std::vector<Size> all = sizes(strata);
  for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i].size = all[i];
  return pieces;
}

void Dpor::take_over(std::span<const Piece> pieces) {
  depth_ = 0;
  started_ = pieces.size() != 1 || !pieces.front().work.empty();
  survey_.abandon();
  runs_before_ = runs_;
  taken_over_ = {};
  if (!started_) return;
  for (const Piece& piece : pieces) {
    taken_over_ += piece.size;
    Work work = unpack<Work>(piece.work);
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    for (const auto& [number, object] : work.objects) numbers[number] = number_of(object);
    for_each_node(work.frame, [&](Node& node) { node.object = numbers.at(node.object); });
    // Histories are made of these numbers.
    for (Child& child : work.frame.children) child.history = 0;
    push() = std::move(work.frame);
    has_readers_ |= work.has_readers;
  }
}

}  // namespace norn::dpor
