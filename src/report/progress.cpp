#include "report/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/sentences.hpp"

namespace norn {
namespace {

/// A part of the line, and how much it matters.
struct Part {
  std::string text;
  unsigned importance;
};

/// The largest unit that says something, and no more than two digits.
std::string rough_time(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 60 * minute;
  constexpr double day = 24 * hour;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.0f} h", seconds / hour);
  return roughly(seconds / day) + " days";
}

/// Nobody is helped by a time that may as well be a hundred times as long.
std::string time_left(const ReportedProgress& progress) {
  constexpr double most_uncertain = 30;
  const ReportedEstimate& whole = *progress.estimate;
  const auto done = static_cast<double>(progress.executions);
  if (progress.rate <= 0 || whole.low <= 0 || whole.high > most_uncertain * whole.low) return "? left";
  return fmt::format("{} left", rough_time((whole.executions - done) / progress.rate));
}

std::string percent(const ReportedProgress& progress) {
  const double part = static_cast<double>(progress.executions) / std::max(1.0, progress.estimate->executions);
  return part < 0.0001 ? "<0.01%" : fmt::format("{:.2g}%", std::min(part, 0.99) * 100);
}

std::vector<Part> parts_of_minimising(const ReportedProgress& progress) {
  const std::string bug =
      progress.bugs == 1 ? "the bug" : fmt::format("bug {} of {}", progress.minimises, progress.bugs);
  std::vector<Part> parts = {{"minimising " + bug, 9}, {plural(progress.executions, "run"), 8}};
  if (progress.rate > 0) parts.push_back({fmt::format("{}/s", roughly(progress.rate)), 3});
  return parts;
}

std::vector<Part> parts_of(const ReportedProgress& progress) {
  if (progress.minimises != 0) return parts_of_minimising(progress);
  std::vector<Part> parts = {{plural(progress.executions + progress.partial_runs, "run"), 9}};
  if (progress.rate > 0) parts.push_back({fmt::format("{}/s", roughly(progress.rate)), 3});
  if (progress.behaviours >= 0)
    parts.push_back({plural(static_cast<std::uint64_t>(progress.behaviours), "behaviour"), 4});
  if (progress.estimate) {
    const ReportedEstimate& whole = *progress.estimate;
    const bool is_certain = whole.low == whole.high;
    parts.push_back(
        {fmt::format("{} of {}{}", percent(progress), is_certain ? "" : "~", roughly(whole.executions)), 7});
    if (!is_certain) parts.push_back({fmt::format("({}..{})", roughly(whole.low), roughly(whole.high)), 5});
    parts.push_back({time_left(progress), 6});
  }
  if (progress.frontier != 0) parts.push_back({fmt::format("frontier {}", progress.frontier), 2});
  parts.push_back({progress.bugs == 0 ? "no bug" : plural(progress.bugs, "bug"), 8});
  return parts;
}

std::string joined(const std::vector<Part>& parts) {
  std::string text;
  // What is in brackets belongs to what comes before it.
  for (const Part& part : parts) text += (text.empty() ? "" : part.text.front() == '(' ? " " : ", ") + part.text;
  return text;
}

}  // namespace

std::string progress_text(const ReportedProgress& progress, std::size_t width) {
  std::vector<Part> parts = parts_of(progress);
  const auto less = [](const Part& one, const Part& other) { return one.importance < other.importance; };
  while (joined(parts).size() > width && parts.size() > 1)
    parts.erase(std::min_element(parts.begin(), parts.end(), less));
  return joined(parts).substr(0, width);
}

}  // namespace norn
