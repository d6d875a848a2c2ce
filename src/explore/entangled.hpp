#pragma once

#include <string_view>

#include "trace/trace.hpp"

namespace norn {

/// Why operations on different objects depend on each other in this run, so that behaviours are missed if they are
/// taken to be independent; empty if they do not.
std::string_view why_entangled(const Trace& trace);

}  // namespace norn
