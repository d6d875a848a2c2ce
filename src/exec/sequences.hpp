#pragma once

#include <nlohmann/json.hpp>

#include "explore/reachability/sequence_tree.hpp"
#include "trace/thread_names.hpp"

namespace norn::exec {

/// The sequences that were exercised, for a page. Events are there once, and numbers everywhere else.
nlohmann::json sequences_json(const reachability::SequenceTree& tree, const ThreadNames& names);

/// What a run tells of the names of objects and places: the call stacks of operations that were called from one place
/// only, and the functions that were active.
void add_places(nlohmann::json& sequences, const nlohmann::json& run);

}  // namespace norn::exec
