#include "report/html_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "report/cause.hpp"
#include "report/timeline.hpp"
#include "report/words.hpp"

namespace norn {
namespace {

using nlohmann::json;

/// Where a thread stands among others: parents before children, and main/2 before main/10.
std::vector<unsigned long> descent(const std::string& name) {
  std::vector<unsigned long> numbers;
  for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1))
    numbers.push_back(std::strtoul(name.c_str() + at + 1, nullptr, 10));
  return numbers;
}

class RunWriter {
 public:
  RunWriter(const ReportedBug& run, HtmlTables& tables)
      : run_(run), tables_(tables), timeline_(timeline_of(run)), after_(values_after(run.events)) {
    for (const TimelineRow& row : timeline_.rows) {
      add_thread(row.thread);
      // It may have come to nothing that is an event.
      if (!row.starts.empty()) add_thread(row.starts);
    }
    std::stable_sort(thread_names_.begin(), thread_names_.end(),
                     [](const auto& a, const auto& b) { return descent(a) < descent(b); });
    for (std::size_t i = 0; i < thread_names_.size(); ++i) threads_[thread_names_[i]] = i;
  }

  json write() {
    json rows = json::array();
    for (const TimelineRow& row : timeline_.rows) rows.push_back(write(row));
    json arrows = json::array();
    for (const TimelineArrow& arrow : timeline_.arrows) arrows.push_back({arrow.from, arrow.to, arrow.kind});
    return {{"threads", headings()},
            {"objects", objects()},
            {"rows", rows},
            {"arrows", arrows},
            {"events", run_.events.size()},
            {"preemptions", run_.preemptions},
            {"knows_locks", !run_.links.empty()}};
  }

 private:
  void add_thread(const std::string& name) {
    if (threads_.try_emplace(name).second) thread_names_.push_back(name);
  }

  /// With what the threads call themselves.
  [[nodiscard]] std::vector<std::string> headings() const {
    std::vector<std::string> headings = thread_names_;
    for (const auto& [thread, name] : run_.own_names)
      if (const auto known = threads_.find(thread); known != threads_.end())
        headings[known->second] = fmt::format("{} ({})", thread, name);
    return headings;
  }

  /// Objects are told apart by their addresses.
  int object(const Row& row) {
    const auto [entry, is_new] = objects_.try_emplace(row.address, static_cast<int>(object_names_.size()));
    if (is_new) object_names_.push_back(row.object);
    return entry->second;
  }

  json write(const TimelineRow& row) {
    json result = {{"kind", row.kind}, {"thread", threads_.at(row.thread)}, {"text", row.text}};
    if (!row.object.empty()) result["object"] = object(row);
    if (const int place = tables_.place(row.place); place >= 0) result["place"] = place;
    if (const int stack = row.stack == nullptr ? -1 : tables_.stack(*row.stack); stack >= 0) result["stack"] = stack;
    if (row.marked) result["marked"] = true;
    if (row.key) result["key"] = true;
    if (row.is_event) add_event(row, result);
    if (!row.starts.empty()) result["starts"] = threads_.at(row.starts);
    for (const TimelineLock& lock : row.locks) result["locks"].push_back({{"object", lock.object}, {"row", lock.row}});
    return result;
  }

  void add_event(const TimelineRow& row, json& result) {
    const ReportedEvent& event = run_.events[row.step];
    result["event"] = row.step + 1;
    result["operation"] = event.operation;
    if (event.value.empty()) return;
    const bool stores = event.operation == "atomic.store";
    if (!stores) result["read"] = event.value;
    if (stores) result["written"] = event.value;
    if (!stores && !event.reads && !after_[row.step].empty()) result["written"] = after_[row.step];
  }

  json objects() {
    json list = json::array();
    for (const std::string& name : object_names_) {
      const auto known =
          std::find_if(run_.legend.begin(), run_.legend.end(), [&](const auto& entry) { return entry.first == name; });
      list.push_back({{"name", name}, {"where", known == run_.legend.end() ? "" : known->second}});
    }
    return list;
  }

  const ReportedBug& run_;
  HtmlTables& tables_;
  Timeline timeline_;
  std::vector<std::string> after_;
  std::map<std::string, std::size_t> threads_;
  std::vector<std::string> thread_names_;
  std::map<std::uint64_t, int> objects_;
  std::vector<std::string> object_names_;
};

/// The line of an event, or the first line after the last event.
std::size_t row_of(const std::vector<TimelineRow>& rows, std::size_t event) {
  const auto found = std::find_if(rows.begin(), rows.end(), [event](const TimelineRow& row) {
    return row.step >= event && row.kind != "link" && row.kind != "pause";
  });
  return static_cast<std::size_t>(std::min(found, rows.end() - (rows.empty() ? 0 : 1)) - rows.begin());
}

std::string next_of(const ReportedBug& run, std::size_t event) {
  if (event >= run.events.size()) return "nobody can go on";
  return fmt::format("{} goes on", run.events[event].thread);
}

}  // namespace

json html_run(const ReportedBug& run, HtmlTables& tables) { return RunWriter(run, tables).write(); }

json html_difference(const ReportedBug& failing, const ReportedBug& passing) {
  const auto is_same = [](const ReportedEvent& a, const ReportedEvent& b) {
    return a.thread == b.thread && a.operation == b.operation && a.alternative == b.alternative;
  };
  const auto [one, other] = std::mismatch(failing.events.begin(), failing.events.end(), passing.events.begin(),
                                          passing.events.end(), is_same);
  if (one == failing.events.end() && other == passing.events.end()) return nullptr;
  const auto same = static_cast<std::size_t>(one - failing.events.begin());
  const std::string fails = next_of(failing, same);
  const std::string passes = next_of(passing, same);
  const std::string beginning = same == 0 ? "The two runs differ from the first event on"
                                          : fmt::format("Both runs do the same up to event {}", same);
  return {{"failing", row_of(timeline_of(failing).rows, same)},
          {"passing", row_of(timeline_of(passing).rows, same)},
          {"text", fails == passes ? fmt::format("{}; then the same thread goes on in another way.", beginning)
                                   : fmt::format("{}. Then {} in the run that fails, and {} in the run that passes.",
                                                 beginning, fails, passes)}};
}

}  // namespace norn
