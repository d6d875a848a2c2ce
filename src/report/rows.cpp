#include "report/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/cause.hpp"
#include "report/deadlock.hpp"
#include "report/style.hpp"
#include "report/words.hpp"

namespace norn {
namespace {

/// Longer runs are shown by their end.
constexpr std::size_t rows_shown = 40;

/// The events that the explanation names; they are shown however long ago they were.
std::set<std::size_t> key_events(const ReportedBug& bug) {
  std::set<std::size_t> keys;
  if (const auto cause = find_cause(bug)) {
    keys.insert(cause->change);
    if (cause->before) keys.insert(*cause->before);
    keys.insert(cause->after);
  }
  for (const ReportedWait& wait : bug.waits)
    if (const ReportedEvent* const taken = taken_by(bug, wait.holder, wait.address))
      keys.insert(static_cast<std::size_t>(taken - bug.events.data()));
  return keys;
}

/// The line that says what went wrong, where no access and no wait says it.
Row row_of_failure(const ReportedBug& bug) {
  constexpr std::size_t longest_message = 40;  // the summary has all of it
  const bool is_short = !bug.message.empty() && display_width(bug.message) <= longest_message;
  const std::string kind = bug.kind == "exception" ? "uncaught exception" : bug.kind;
  Row row{bug.thread, is_short ? bug.message : kind, bug.place, true, true, false, bug.events.size(), {}, 0,
          &bug.stack};
  row.is_failure = true;
  return row;
}

class Builder {
 public:
  explicit Builder(const ReportedBug& bug) : bug_(bug), after_(values_after(bug.events)), keys_(key_events(bug)) {}

  std::vector<Row> build() {
    for (std::size_t step = 0; step < end(); ++step) {
      add_moments(step, step);
      add_event(step);
    }
    add_moments(end(), SIZE_MAX);
    add_waits();
    const bool is_leak = bug_.block && !bug_.block->freed && bug_.accesses.empty();
    const bool is_failure = bug_.kind != "finished" && !is_leak;
    if (bug_.waits.empty() && bug_.accesses.empty() && is_failure) rows_.push_back(row_of_failure(bug_));
    return std::move(rows_);
  }

 private:
  /// A run with a race goes on; what comes after the race has nothing to do with it.
  [[nodiscard]] std::size_t end() const {
    std::size_t last = bug_.events.size();
    if (bug_.accesses.size() > 1) last = std::min(last, bug_.accesses.back().when.step);
    return last;
  }

  /// What happened between the events, when so many events had happened.
  void add_moments(std::size_t from, std::size_t to) {
    const auto is_now = [from, to](const Moment& moment) { return moment.step >= from && moment.step <= to; };
    const bool is_from_before = bug_.block && bug_.block->allocated.thread.empty();
    if (bug_.block && !is_from_before && is_now(bug_.block->allocated))
      add(bug_.block->allocated, "allocates " + plural(bug_.block->size, "byte"), bug_.accesses.empty());
    if (bug_.block && bug_.block->freed && is_now(*bug_.block->freed))
      add(*bug_.block->freed, "frees " + plural(bug_.block->size, "byte"), true);
    for (const ReportedAccess& access : bug_.accesses) {
      if (!is_now(access.when)) continue;
      add(access.when, fmt::format("{} {}", access.action, access.object), true);
      rows_.back().object = access.object;
      rows_.back().address = access.address;
      rows_.back().access = &access;
    }
  }

  void add(const Moment& moment, const std::string& text, bool marked) {
    rows_.push_back({moment.thread, text, moment.place, marked, true, false, moment.step, {}, 0, &moment.stack});
    rows_.back().links = moment.links;
  }

  void add_event(std::size_t step) {
    const ReportedEvent& event = bug_.events[step];
    if (event.preempts && step != 0)
      rows_.push_back({bug_.events[step - 1].thread, "-- paused --", {}, false, false, false, step});
    rows_.push_back({event.thread, event_text(event, after_[step]), event.place, false, keys_.contains(step), true,
                     step, event.object, event.address, &event.stack});
  }

  void add_waits() {
    const std::vector<const ReportedWait*> followers = analyse_deadlock(bug_).followers;
    for (const ReportedWait& wait : bug_.waits) {
      const bool follows = std::find(followers.begin(), followers.end(), &wait) != followers.end();
      rows_.push_back({wait.thread, wait_text(wait, holders(bug_, wait)), wait.place, !follows, true, false,
                       bug_.events.size(), wait.object, wait.address, &wait.stack, nullptr, &wait});
    }
  }

  const ReportedBug& bug_;
  std::vector<std::string> after_;
  std::set<std::size_t> keys_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> rows_of(const ReportedBug& bug) { return Builder(bug).build(); }

std::vector<Row> without_the_usual(const std::vector<Row>& rows) {
  if (rows.size() <= rows_shown) return rows;
  std::vector<Row> shown;
  std::size_t left_out = 0;
  const auto close_gap = [&] {
    if (left_out != 0) shown.push_back({"", fmt::format("... {} not shown ...", plural(left_out, "event")), {}});
    left_out = 0;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].key && i + rows_shown < rows.size()) {
      left_out += rows[i].is_event ? 1 : 0;
      continue;
    }
    close_gap();
    shown.push_back(rows[i]);
  }
  return shown;
}

std::string only_file(const std::vector<Row>& rows) {
  std::string only;
  for (const Row& row : rows) {
    if (!row.place.file.empty() && !only.empty() && only != row.place.file) return "";
    if (!row.place.file.empty()) only = row.place.file;
  }
  return only;
}

}  // namespace norn
