#pragma once

#include <string>

#include "explore/reachability/variant.hpp"
#include "trace/thread_names.hpp"

namespace norn::reachability {

/// A variant as lines that `norn accept --sequence` reads: one for each event that has a partner, with its number in
/// its thread; events on one object and events of one thread are in order. The rest is in comments.
std::string to_text(const Variant& variant, const ThreadNames& names);

/// The variant of such a text; throws std::invalid_argument if it is none.
Variant variant_of(const std::string& text, const ThreadNames& names);

}  // namespace norn::reachability
