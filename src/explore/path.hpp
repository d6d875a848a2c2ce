#pragma once

#include <vector>

#include "explore/estimate.hpp"

namespace norn {

/// How many runs there are below each node of the path of a depth-first search, as far as can be foreseen. Of a node it
/// is known what is `done` and how many choices are `untried`.
template <typename Node>
std::vector<Size> sizes_below(const std::vector<Node>& path, const Variety& variety) {
  std::vector<Size> sizes(path.size());
  for (std::size_t i = path.size(); i-- > 0;) {
    const Size* current = i + 1 < path.size() ? &sizes[i + 1] : nullptr;
    sizes[i] = path[i].done.others(path[i].untried, current, variety);
    sizes[i].runs += path[i].done.runs();
    if (current != nullptr) sizes[i] += *current;
  }
  return sizes;
}

}  // namespace norn
