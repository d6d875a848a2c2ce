// Every interleaving of visible operations, by depth-first search over the choices. No reduction at all: this
// is the oracle that every other strategy is tested against. With a bound on preemptions: all that keep to it.

#include "explore/bounded.hpp"
#include "explore/path.hpp"
#include "explore/preemption.hpp"
#include "explore/strategy.hpp"
#include "support/archive.hpp"

namespace norn {
namespace {

class Exhaustive final : public Strategy {
 public:
  explicit Exhaustive(bool counts_preemptions) : counts_preemptions_(counts_preemptions) {}

  bool next(Prefix& prefix) override {
    if (!started_) {
      started_ = true;
      prefix.clear();
      return true;
    }
    while (!path_.empty() && path_.back().untried == 0) drop_last();
    if (path_.empty() && !begin_piece()) return false;
    take_next_sibling();
    prefix.assign(prefix_.begin(), prefix_.end());
    return true;
  }

  std::size_t choose(const FreeChoice&) override { return 0; }

  void learn(const Trace& trace) override {
    if (counts_preemptions_) count_preemptions(trace);
    auto choices = trace.choices;
    for (const Event& event : trace.events.subspan(trace.prefix)) {
      prefix_.push_back(choices.front());
      path_.push_back(
          {static_cast<std::uint32_t>(siblings_.size()), static_cast<std::uint32_t>(event.enabled - 1), {}});
      // In reverse, so that the next one to try is always the last of siblings_.
      for (std::size_t i = event.enabled; i-- > 1;) siblings_.push_back(choices[i]);
      choices = choices.subspan(event.enabled);
    }
    if (!path_.empty()) path_.back().done.add(1);
  }

  [[nodiscard]] bool exhausts() const override { return true; }
  [[nodiscard]] std::optional<unsigned> preemptions() const override {
    if (!counts_preemptions_) return {};
    return turns_.empty() ? 0 : turns_.back().preemptions;
  }

  [[nodiscard]] std::vector<Piece> pieces() const override {
    if (!started_) return {{}};
    std::vector<Piece> pieces = waiting_;
    const std::vector<Size> sizes = sizes_left(path_, variety_);
    for (std::size_t i = 0; i < path_.size(); ++i) {
      const Node& node = path_[i];
      if (node.untried == 0) continue;
      // The first one can be divided.
      const std::uint32_t half = pieces.empty() ? node.untried / 2 : 0;
      const std::span<const Choice> siblings(&siblings_[node.siblings], node.untried);
      for (const auto part : {siblings.first(half), siblings.subspan(half)})
        if (!part.empty())
          pieces.push_back(piece_of(i, part, sizes[i] * (static_cast<double>(part.size()) / node.untried)));
    }
    return pieces;
  }

  void take_over(std::span<const Piece> pieces) override {
    path_.clear();
    prefix_.clear();
    siblings_.clear();
    waiting_.assign(pieces.begin(), pieces.end());
    started_ = pieces.size() != 1 || !pieces.front().work.empty();
    if (!started_) waiting_.clear();
    // Those of its prefix are not known.
    if (started_) counts_preemptions_ = false;
  }

 private:
  struct Node {
    std::uint32_t siblings;  ///< where this node's choices begin in siblings_
    std::uint32_t untried;
    Branches done;  ///< its choices that are
  };
  /// What comes after a prefix, with one of these choices.
  struct Work {
    Prefix prefix;
    Prefix siblings;

    template <typename Archive>
    void archive(Archive& parts) {
      parts(prefix, siblings);
    }
  };

  [[nodiscard]] Piece piece_of(std::size_t i, std::span<const Choice> siblings, Size size) const {
    Work work{{prefix_.begin(), prefix_.begin() + static_cast<std::ptrdiff_t>(i)}, {siblings.begin(), siblings.end()}};
    return {pack(work), size};
  }

  bool begin_piece() {
    if (waiting_.empty()) return false;
    Work work = unpack<Work>(waiting_.back().work);
    waiting_.pop_back();
    path_.assign(work.prefix.size(), {0, 0, {}});
    path_.push_back({0, static_cast<std::uint32_t>(work.siblings.size()), {}});
    prefix_ = std::move(work.prefix);
    prefix_.emplace_back();
    siblings_ = std::move(work.siblings);
    return true;
  }

  /// Who had the turn before a step of the run at hand, and how many preemptions there were with that step.
  struct Turn {
    ThreadId last;  ///< no_thread if it could not go on
    unsigned preemptions;
  };

  /// The choices at the steps of the prefix were seen when these were new. Only the last of them is another one now.
  void count_preemptions(const Trace& trace) {
    turns_.resize(trace.prefix);
    const auto so_far = [this] { return turns_.size() < 2 ? 0 : turns_[turns_.size() - 2].preemptions; };
    if (!turns_.empty()) {
      Turn& turn = turns_.back();
      turn.preemptions = so_far() + (turn.last != no_thread && trace.events[trace.prefix - 1].thread != turn.last);
    }
    auto choices = trace.choices;
    for (std::size_t i = trace.prefix; i < trace.events.size(); ++i) {
      const auto enabled = choices.first(trace.events[i].enabled);
      const ThreadId last = i == 0 ? no_thread : trace.events[i - 1].thread;
      const bool takes_turn = is_preemption(last, trace.events[i].thread, enabled);
      turns_.push_back({can_move(last, enabled) ? last : no_thread, 0});
      turns_.back().preemptions = so_far() + takes_turn;
      choices = choices.subspan(enabled.size());
    }
  }

  void drop_last() {
    const Branches done = path_.back().done;
    path_.pop_back();
    prefix_.pop_back();
    done.tell(variety_);
    if (!path_.empty()) path_.back().done.add(done.runs());
  }

  void take_next_sibling() {
    Node& node = path_.back();
    --node.untried;
    prefix_.back() = siblings_[node.siblings + node.untried];
    siblings_.resize(node.siblings + node.untried);
  }

  bool counts_preemptions_;
  bool started_ = false;
  std::vector<Turn> turns_;
  std::vector<Node> path_;
  Prefix prefix_;
  Prefix siblings_;
  Variety variety_;
  std::vector<Piece> waiting_;  ///< to be done after all this
};

/// Every interleaving with so many preemptions.
class ExhaustiveWithin final : public Strategy {
 public:
  explicit ExhaustiveWithin(unsigned bound) : search_(bound), bound_(static_cast<int>(bound)) {}

  bool next(Prefix& prefix) override { return search_.next(prefix); }
  std::size_t choose(const FreeChoice& at) override { return search_.choose(at); }
  void learn(const Trace& trace) override { search_.learn(trace); }
  [[nodiscard]] bool exhausts() const override { return true; }
  [[nodiscard]] std::string leaves_out() const override { return search_.exhausts() ? "" : beyond_preemptions(bound_); }
  [[nodiscard]] std::vector<Piece> pieces() const override { return search_.pieces(); }
  void take_over(std::span<const Piece> pieces) override { search_.take_over(pieces); }

 private:
  BoundedSearch search_;
  int bound_;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const Options& options) {
  if (options.bounds_preemptions())
    return std::make_unique<ExhaustiveWithin>(static_cast<unsigned>(options.preemptions));
  return std::make_unique<Exhaustive>(options.list_behaviours);
}

}  // namespace norn
