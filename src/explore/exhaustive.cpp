// Every interleaving of visible operations, by depth-first search over the choices. No reduction at all: this
// is the oracle that every other strategy is tested against.

#include "explore/strategy.hpp"

namespace norn {
namespace {

class Exhaustive final : public Strategy {
 public:
  bool next(Prefix& prefix) override {
    if (!started_) {
      started_ = true;
      prefix.clear();
      return true;
    }
    while (!path_.empty() && path_.back().untried == 0) drop_last();
    if (path_.empty()) return false;
    take_next_sibling();
    prefix.assign(prefix_.begin(), prefix_.end());
    return true;
  }

  std::size_t choose(const FreeChoice&) override { return 0; }

  void learn(const Trace& trace) override {
    auto choices = trace.choices;
    for (const Event& event : trace.events.subspan(trace.prefix)) {
      prefix_.push_back(choices.front());
      path_.push_back({static_cast<std::uint32_t>(siblings_.size()), static_cast<std::uint32_t>(event.enabled - 1)});
      // In reverse, so that the next one to try is always the last of siblings_.
      for (std::size_t i = event.enabled; i-- > 1;) siblings_.push_back(choices[i]);
      choices = choices.subspan(event.enabled);
    }
  }

  [[nodiscard]] bool exhausts() const override { return true; }

 private:
  struct Node {
    std::uint32_t siblings;  ///< where this node's choices begin in siblings_
    std::uint32_t untried;
  };

  void drop_last() {
    path_.pop_back();
    prefix_.pop_back();
  }

  void take_next_sibling() {
    Node& node = path_.back();
    --node.untried;
    prefix_.back() = siblings_[node.siblings + node.untried];
    siblings_.resize(node.siblings + node.untried);
  }

  bool started_ = false;
  std::vector<Node> path_;
  std::vector<Choice> prefix_;
  std::vector<Choice> siblings_;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const Options&) { return std::make_unique<Exhaustive>(); }

}  // namespace norn
