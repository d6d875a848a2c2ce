#include "report/timeline.hpp"

#include <algorithm>

#include "report/arrows.hpp"
#include "report/style.hpp"

namespace norn {
namespace {

std::string kind_of(const Row& row) {
  if (row.is_event) return "event";
  if (row.access != nullptr) return "access";
  if (row.wait != nullptr) return "wait";
  if (row.is_failure) return "failure";
  return row.stack == nullptr ? "pause" : "access";
}

/// Pages have more room than terminals.
constexpr std::size_t longest_failure = 50;

bool fits(const std::string& message) { return !message.empty() && display_width(message) <= longest_failure; }

/// What is an event, too, has its line already.
bool is_shown(const ReportedBug& bug, const ReportedLink& link) {
  if (link.kind == "created") return true;
  if (link.kind != "released" && link.kind != "sent" && link.kind != "joined") return false;
  if (link.step == 0 || link.step > bug.events.size()) return true;
  const ReportedEvent& before = bug.events[link.step - 1];
  if (before.thread != link.thread) return true;
  if (link.kind == "joined") return !before.operation.ends_with("join");
  const bool is_same =
      before.operation.ends_with("unlock") || before.operation == "send" || before.operation == "deposit";
  return before.address != link.address || !is_same;
}

std::string link_text(const ReportedLink& link) {
  if (link.kind == "created") return "starts " + link.other;
  if (link.kind == "joined") return "joins " + link.other;
  return (link.kind == "sent" ? "sends to " : "unlock ") + link.object;
}

/// Lines of the diagram and links, each where it belongs.
class Merge {
 public:
  explicit Merge(const ReportedBug& bug) : bug_(bug), arrows_(bug) {}

  Timeline run() {
    const std::vector<Row> rows = rows_of(bug_);
    for (const Row& row : rows) {
      add_links(row);
      TimelineRow line{row, kind_of(row)};
      if (line.kind == "pause") line.text = "paused";
      if (line.kind == "failure" && fits(bug_.message)) line.text = bug_.message;
      add(std::move(line));
      if (row.is_event) arrows_.event(row.step, timeline_.rows.size() - 1);
    }
    // Of a run with a race, only what comes before matters.
    const std::size_t end = rows.empty() ? 0 : rows.back().step + (rows.back().is_event ? 1 : 0);
    while (next_ < bug_.links.size() && bug_.links[next_].step <= end) add_link();
    timeline_.arrows = arrows_.finish(timeline_.rows);
    return std::move(timeline_);
  }

 private:
  /// The links that came before a line. Accesses happen between events just as links do.
  void add_links(const Row& row) {
    const auto is_before = [&row](const ReportedLink& link) {
      return link.step < row.step || (link.step == row.step && link.links < row.links);
    };
    while (next_ < bug_.links.size() && is_before(bug_.links[next_])) add_link();
  }

  void add_link() {
    const ReportedLink& link = bug_.links[next_++];
    if (is_shown(bug_, link)) {
      TimelineRow row{{link.thread, link_text(link), link.place}, "link"};
      row.stack = &link.stack;
      row.step = link.step;
      row.object = link.object;
      row.address = link.address;
      if (link.kind == "created") row.starts = link.other;
      add(std::move(row));
    }
    arrows_.link(link);
  }

  void add(TimelineRow row) {
    if (row.kind != "pause") arrows_.row(row.thread, timeline_.rows.size());
    timeline_.rows.push_back(std::move(row));
  }

  const ReportedBug& bug_;
  Arrows arrows_;
  Timeline timeline_;
  std::size_t next_ = 0;  ///< of the links
};

/// What each thread holds after each of its lines.
void add_locks(const ReportedBug& bug, Timeline& timeline) {
  if (bug.links.empty()) return;  // then nobody knows when locks were given back
  std::map<std::string, std::map<std::uint64_t, TimelineLock>> held;
  for (std::size_t i = 0; i < timeline.rows.size(); ++i) {
    TimelineRow& row = timeline.rows[i];
    std::map<std::uint64_t, TimelineLock>& own = held[row.thread];
    if (row.kind == "event" && takes_lock(bug.events[row.step]))
      own.try_emplace(row.address, TimelineLock{row.object, i});
    if (gives_back(bug, row)) own.erase(row.address);
    for (const auto& [address, lock] : own) row.locks.push_back(lock);
  }
}

}  // namespace

Timeline timeline_of(const ReportedBug& bug) {
  Timeline timeline = Merge(bug).run();
  add_locks(bug, timeline);
  return timeline;
}

}  // namespace norn
