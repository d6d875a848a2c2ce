#pragma once

// Apart from the options themselves, which nearly everything includes: the library takes long to compile.

#include <nlohmann/json.hpp>

#include "support/options.hpp"

namespace norn {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(
    Options, strategy, seed, pct_depth, t, reduce, graph, criterion, estimate_runs, happens_before, without_rule_3,
    saturation, saturation_threshold, covered, uncovered, sequence, preemptions, max_executions, max_seconds, max_steps,
    max_threads, max_memory, max_run_seconds, jobs, chaos, forget, check_tables, keep_going, minimise, wakeup, spurious,
    isolation, from_start, threads, plain, races, memory, leaks, releases_visible, readers_ordered, barriers_ordered,
    sends_visible, locks_one_by_one, visible, loops, outcomes, list_runs, list_behaviours, progress, checkpoint,
    checkpoint_seconds, resume, self_check, compare, replays, details, replay)

}  // namespace norn
