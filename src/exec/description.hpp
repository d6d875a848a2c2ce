#pragma once

// What was found, in the form in which the command gets it: with addresses, which it knows the names of.

#include <nlohmann/json_fwd.hpp>

#include "analysis/lock_order.hpp"
#include "exec/engine.hpp"
#include "explore/behaviour_graph.hpp"
#include "explore/explorer.hpp"
#include "trace/thread_names.hpp"

namespace norn::exec {

/// What lies where, of the memory that has no names: stacks and heaps of threads.
nlohmann::json memory_ranges(Engine& engine, const ThreadNames& names);

/// Gives the failing run once more, with all details, and describes it.
nlohmann::json describe(const Bug& bug, Engine& engine, const ThreadNames& names, Strategy& strategy);
/// `attempts`: so many runs were steered into it in vain. `strategy` ends a run when nothing more is forced.
nlohmann::json describe(const analysis::LockCycle& cycle, unsigned attempts, Engine& engine, const ThreadNames& names,
                        Strategy& strategy);
nlohmann::json describe(const Exploration& found, const Options& options);
nlohmann::json describe(const BehaviourGraph& graph, const ThreadNames& names);

}  // namespace norn::exec
