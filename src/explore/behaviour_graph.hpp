#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/trace.hpp"

namespace norn {

/// All behaviours that were explored, as one graph. A node is an event together with all that happened before it; what
/// several behaviours have in common is there once. Nodes with the same thread and the same predecessor in it are
/// alternatives of each other.
class BehaviourGraph {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::size_t most_nodes = 100'000;

  struct Node {
    ThreadId thread;
    std::uint16_t alternative;
    Op op;
    const void* object;
    const void* site;
    std::uint32_t in_thread;  ///< the event of the same thread before it
    std::uint32_t on_object;  ///< the event on the same object that it came after
    std::uint64_t runs = 0;   ///< in how many executions it happened
  };

  void add(const Trace& trace);
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// Whether there were more nodes than it can hold.
  [[nodiscard]] bool is_cut() const { return is_cut_; }

 private:
  struct Object {
    const void* address;
    std::uint32_t last_write;
    std::uint64_t reads;  ///< what was read since, in any order
  };
  Object& object(const void* address);

  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< of nodes, by what happened until then
  std::vector<Object> objects_;
  std::vector<std::uint32_t> threads_;
  bool is_cut_ = false;
};

}  // namespace norn
