#pragma once

#include <span>
#include <vector>

#include "explore/strategy.hpp"

namespace norn {

/// A part of a schedule in which one thread moves.
struct Block {
  ThreadId thread;
  std::uint32_t begin;  ///< in the schedule
  std::uint32_t end;
  friend bool operator==(const Block&, const Block&) = default;
};
using Blocks = std::vector<Block>;

Blocks blocks_of(std::span<const Choice> schedule);

/// Ways to make a schedule simpler.
enum class Edit {
  leave_out,     ///< some blocks that stand together
  gather_early,  ///< of some blocks that stand together, all of a thread where its first one is
  gather_late,   ///< the same, where its last one is
  pull,          ///< one block is followed at once by the next one of its thread
  push,          ///< one block waits for the next one of its thread
};
inline constexpr Edit edits[] = {Edit::leave_out, Edit::gather_early, Edit::gather_late, Edit::pull, Edit::push};

/// Applies an edit to `count` blocks from `first` on; what makes no difference there leaves all as it is.
Blocks edited(const Blocks& blocks, Edit edit, std::size_t first, std::size_t count);

/// Follows the blocks of a schedule in their order as far as that is possible: a block whose thread cannot move is
/// tried again when the one that is followed instead ends. After the last block nobody is preempted.
class FollowBlocks final : public Strategy {
 public:
  FollowBlocks(std::span<const Choice> schedule, const Blocks& blocks) : schedule_(schedule), blocks_(blocks) {}

  bool next(Prefix& prefix) override;
  std::size_t choose(const FreeChoice& at) override;
  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }

 private:
  bool follow(Block& block, std::span<const Choice> enabled, std::size_t& index) const;

  std::span<const Choice> schedule_;
  const Blocks& blocks_;
  Blocks rest_;  ///< what has not been followed yet in this run
  std::size_t current_ = 0;
  std::size_t first_ = 0;  ///< all before are done
};

}  // namespace norn
