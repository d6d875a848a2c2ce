// Simplifying a schedule by moving and removing blocks of it, and following what is left as well as possible: N.
// Jalbert, K. Sen, "A trace simplification technique for effective debugging of concurrent programs", FSE 2010. That
// many blocks are gathered at once is the idea of delta debugging: A. Zeller, R. Hildebrandt, "Simplifying and
// isolating failure-inducing input", IEEE Transactions on Software Engineering 28(2), 2002.

#include "explore/blocks.hpp"

#include <algorithm>
#include <map>

#include "explore/preemption.hpp"

namespace norn {
namespace {

/// Brings the blocks of each thread together, the threads in the order of their first or of their last blocks.
void gather(std::span<Block> blocks, bool early) {
  std::map<ThreadId, std::size_t> position;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (early)
      position.try_emplace(blocks[i].thread, i);
    else
      position[blocks[i].thread] = i;
  }
  std::stable_sort(blocks.begin(), blocks.end(), [&position](const Block& a, const Block& b) {
    return position.at(a.thread) < position.at(b.thread);
  });
}

void join_with_next(Blocks& blocks, std::size_t first, bool early) {
  const auto block = blocks.begin() + static_cast<std::ptrdiff_t>(first);
  const auto same_thread = [thread = block->thread](const Block& other) { return other.thread == thread; };
  const auto following = std::find_if(block + 1, blocks.end(), same_thread);
  if (following == blocks.end()) return;
  if (early)
    std::rotate(block + 1, following, following + 1);
  else
    std::rotate(block, block + 1, following);
}

}  // namespace

Blocks blocks_of(std::span<const Choice> schedule) {
  Blocks blocks;
  for (std::uint32_t i = 0; i < schedule.size(); ++i) {
    if (blocks.empty() || blocks.back().thread != schedule[i].thread) blocks.push_back({schedule[i].thread, i, i});
    ++blocks.back().end;
  }
  return blocks;
}

Blocks edited(const Blocks& blocks, Edit edit, std::size_t first, std::size_t count) {
  Blocks result = blocks;
  const auto begin = result.begin() + static_cast<std::ptrdiff_t>(first);
  switch (edit) {
    case Edit::leave_out: result.erase(begin, begin + static_cast<std::ptrdiff_t>(count)); break;
    case Edit::gather_early: gather({begin, count}, true); break;
    case Edit::gather_late: gather({begin, count}, false); break;
    case Edit::pull:
      if (count == 1) join_with_next(result, first, true);
      break;
    case Edit::push:
      if (count == 1) join_with_next(result, first, false);
      break;
  }
  return result;
}

bool FollowBlocks::next(Prefix& prefix) {
  prefix.clear();
  rest_ = blocks_;
  current_ = first_ = 0;
  return true;
}

std::size_t FollowBlocks::choose(const FreeChoice& at) {
  std::size_t index = 0;
  if (current_ < rest_.size() && follow(rest_[current_], at.enabled, index)) return index;
  while (first_ < rest_.size() && rest_[first_].begin == rest_[first_].end) ++first_;
  for (current_ = first_; current_ < rest_.size(); ++current_)
    if (follow(rest_[current_], at.enabled, index)) return index;
  return without_preemption(at);
}

/// Takes the next choice of a block, or another alternative of it, if its thread can move.
bool FollowBlocks::follow(Block& block, std::span<const Choice> enabled, std::size_t& index) const {
  if (block.begin == block.end) return false;
  auto found = std::find(enabled.begin(), enabled.end(), schedule_[block.begin]);
  const auto of_thread = [&block](const Choice& choice) { return choice.thread == block.thread; };
  if (found == enabled.end()) found = std::find_if(enabled.begin(), enabled.end(), of_thread);
  if (found == enabled.end()) return false;
  ++block.begin;
  index = static_cast<std::size_t>(found - enabled.begin());
  return true;
}

}  // namespace norn
