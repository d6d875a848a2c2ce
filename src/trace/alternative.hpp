#pragma once

#include <string>

#include "trace/event.hpp"
#include "trace/thread_names.hpp"

namespace norn {

/// How an alternative is written in traces: the thread that a signal woke, "expires", "spurious", or "-".
std::string alternative_text(Op op, std::uint16_t alternative, const ThreadNames& names);

}  // namespace norn
