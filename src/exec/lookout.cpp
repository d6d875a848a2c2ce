#include "exec/lookout.hpp"

#include <algorithm>
#include <stdexcept>

#include "exec/connection.hpp"
#include "exec/layout.hpp"
#include "exec/real.hpp"
#include "support/archive.hpp"

namespace norn::exec {
namespace {

using nlohmann::json;

/// What people can follow.
constexpr double seconds_between_lines = 0.25;
/// Looking may take one part in so many of the time.
constexpr double part_of_time = 20;

std::chrono::steady_clock::duration duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

double seconds_since(std::chrono::steady_clock::time_point moment) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - moment).count();
}

[[noreturn]] void refuse(const std::string& sentence) {
  send_to_command({{"refused", sentence}});
  NORN_REAL(_exit)(0);
  __builtin_unreachable();
}

json describe(const Progress& progress) {
  json estimated;
  if (progress.estimate)
    estimated = {{"executions", progress.estimate->executions},
                 {"low", progress.estimate->low},
                 {"high", progress.estimate->high}};
  return {{"executions", progress.executions}, {"partial_runs", progress.partial_runs},
          {"behaviours", progress.behaviours}, {"bugs", progress.bugs},
          {"frontier", progress.frontier},     {"estimate", estimated},
          {"seconds", progress.seconds}};
}

}  // namespace

Checkpoint read_checkpoint(std::size_t size, const Descent& descent) {
  Checkpoint checkpoint;
  try {
    checkpoint = unpack<Checkpoint>(bytes_from_command(size));
  } catch (const std::exception&) {
    refuse("the checkpoint is broken");
  }
  const std::string difference = difference_of_layouts(checkpoint.layout, layout());
  if (!difference.empty())
    refuse("the exploration cannot go on from the checkpoint, because " + difference + " since it was written");
  if (find_strategy(checkpoint.standing.strategy) == nullptr || !descent.restore(checkpoint.threads))
    refuse("the checkpoint is broken");
  return checkpoint;
}

Lookout::Lookout(const Options& options, const Descent& descent)
    : options_(options),
      descent_(descent),
      period_(options.checkpoint ? std::min(seconds_between_lines, options.checkpoint_seconds) : seconds_between_lines),
      next_(Clock::now() + duration(period_)) {}

void Lookout::look(const Progress& progress, const std::function<Standing()>& standing, const LearnedFacts& facts,
                   Clock::time_point begin) {
  if (options_.progress) send_to_command({{"progress", describe(progress)}});
  if (options_.checkpoint && seconds_since(saved_) >= options_.checkpoint_seconds) save(standing(), facts);
  next_ = Clock::now() + duration(std::max(period_, part_of_time * seconds_since(begin)));
}

void Lookout::look(const Minimising& state) {
  if (!options_.progress || !is_due()) return;
  send_to_command({{"progress", {{"minimises", state.bug}, {"bugs", state.bugs}, {"executions", state.runs}}}});
  next_ = Clock::now() + duration(seconds_between_lines);
}

bool Lookout::look_last(const std::function<Standing()>& standing, const LearnedFacts& facts) {
  const bool is_wanted = options_.checkpoint || (stop_requested && why_no_checkpoint(options_).empty());
  if (!has_command() || !is_wanted) return false;
  const Standing last = standing();
  save(last, facts);
  return !last.left.empty() && (options_.keep_going || last.findings.bugs.empty());
}

void Lookout::save(Standing standing, const LearnedFacts& facts) {
  if (layout_.empty()) layout_ = layout();
  Checkpoint checkpoint{layout_, descent_.copy(), facts, std::move(standing)};
  send_to_command({{"checkpoint", true}}, pack(checkpoint));
  saved_ = Clock::now();
}

}  // namespace norn::exec
