#include "report/control.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "report/style.hpp"

namespace norn {
namespace {

/// By how the names of operations begin. Threads are counted, and a step is no primitive.
constexpr std::pair<std::string_view, std::string_view> families[] = {
    {"mutex.", "mutexes"},
    {"spin.", "spin locks"},
    {"rwlock.", "reader-writer locks"},
    {"condition.", "condition variables"},
    {"semaphore.", "semaphores"},
    {"barrier.", "barriers"},
    {"monitor.", "monitors"},
    {"binary.", "binary semaphores"},
    {"receive", "ports"},
    {"poll", "ports"},
    {"send", "ports"},
    {"deposit", "ports"},
    {"withdraw", "ports"},
    {"once", "one-time initialisations"},
    {"atomic.", "atomics"},
    {"address.", "waiting for atomics"},
    {"plain.", "plain accesses that race"},
};

std::string accesses(const ReportedControl& control) {
  if (!control.program_is_instrumented) return "no access of the program to memory";
  std::vector<std::string> seen = {"the program"};
  seen.insert(seen.end(), control.instrumented.begin(), control.instrumented.end());
  return fmt::format("the accesses of {} to memory", enumerate(seen));
}

}  // namespace

std::vector<std::string> bounds_of(const Options& options) {
  const Options usual;
  std::vector<std::string> bounds = {fmt::format("--max-steps {}", options.max_steps),
                                     fmt::format("--max-threads {}", options.max_threads)};
  if (options.max_memory != usual.max_memory) bounds.push_back(fmt::format("--max-memory {}", options.max_memory));
  if (options.bounds_preemptions()) bounds.push_back(fmt::format("--preemptions {}", options.preemptions));
  if (options.strategy == "t-way") bounds.push_back(fmt::format("--t {}", options.t));
  if (!options.reduce.empty()) bounds.push_back(fmt::format("--reduce {}", options.reduce));
  bounds.push_back(fmt::format("--spurious {}", options.spurious));
  if (options.wakeup != usual.wakeup) bounds.push_back(fmt::format("--wakeup {}", options.wakeup));
  if (options.max_executions != 0) bounds.push_back(fmt::format("--max-executions {}", options.max_executions));
  if (options.max_seconds != 0) bounds.push_back(fmt::format("--max-seconds {}", options.max_seconds));
  return bounds;
}

std::vector<std::string> primitives_of(const std::vector<std::string>& operations) {
  std::vector<std::string> primitives;
  for (const auto& [beginning, family] : families) {
    const bool is_seen = std::any_of(operations.begin(), operations.end(),
                                     [start = beginning](const std::string& name) { return name.starts_with(start); });
    if (is_seen && (primitives.empty() || primitives.back() != family)) primitives.emplace_back(family);
  }
  return primitives;
}

nlohmann::json to_json(const ReportedControl& control, unsigned threads) {
  return {{"threads_max", threads},
          {"primitives", primitives_of(control.operations)},
          {"operations", control.operations},
          {"program_instrumented", control.program_is_instrumented},
          {"libraries_instrumented", control.instrumented},
          {"libraries_not_instrumented", control.others},
          {"memory_model", "sc"},
          {"bounds", control.bounds}};
}

std::vector<std::string> describe(const ReportedControl& control, unsigned threads) {
  std::string seen = fmt::format("controlled: {}", plural(threads, "thread"));
  const std::vector<std::string> primitives = primitives_of(control.operations);
  if (!primitives.empty()) seen += fmt::format("; {}", enumerate(primitives));
  seen += "; " + accesses(control);
  if (!control.others.empty()) seen += fmt::format("; not instrumented: {}", fmt::join(control.others, ", "));
  return {seen, fmt::format("memory model: sequentially consistent; bounds: {}", fmt::join(control.bounds, ", "))};
}

}  // namespace norn
