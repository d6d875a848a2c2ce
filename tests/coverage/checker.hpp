#pragma once

// Coverage, found out from the lists of runs alone: nothing of this is Norn's own code.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace norn::test {

using LinePair = std::pair<std::string, std::string>;

struct ListedEvent {
  std::string operation;
  std::string object;
  std::string line;
  bool took_lock = false;
};

/// `0:mutex.lock(1)@0x1234#file.cpp:12?`
inline ListedEvent parse_event(std::string_view text) {
  ListedEvent event;
  const bool only_read = text.back() == '?' && text[text.size() - 2] != '#';
  const std::size_t colon = text.find(':');
  const std::size_t at = text.find('@');
  const std::size_t hash = text.find('#');
  event.operation = text.substr(colon + 1, at - colon - 1);
  const std::size_t parenthesis = event.operation.find('(');
  const std::string alternative = parenthesis == std::string::npos ? "" : event.operation.substr(parenthesis);
  event.operation = event.operation.substr(0, parenthesis);
  event.object = text.substr(at + 1, hash - at - 1);
  event.line = text.substr(hash + 1, text.size() - hash - 1 - (only_read ? 1 : 0));
  static const std::set<std::string> always = {"mutex.lock",   "spin.lock",        "rwlock.read",
                                               "rwlock.write", "condition.relock", "monitor.enter"};
  static const std::set<std::string> unless_late = {"mutex.timed_lock", "rwlock.timed_read", "rwlock.timed_write"};
  static const std::set<std::string> unless_read = {"mutex.try_lock", "spin.try_lock", "rwlock.try_write"};
  event.took_lock = always.contains(event.operation) ||
                    (unless_late.contains(event.operation) && alternative != "(1)") ||
                    (unless_read.contains(event.operation) && !only_read);
  return event;
}

/// The synchronization pairs of all runs whose lines are known.
inline std::set<LinePair> sync_pairs_of(const std::vector<std::string>& runs) {
  std::set<LinePair> pairs;
  for (const std::string& run : runs) {
    if (run.find("#?") != std::string::npos) continue;
    std::map<std::string, std::string> last;
    for (std::size_t begin = run.find(' '); begin != std::string::npos;) {
      const std::size_t end = run.find(' ', begin + 1);
      const ListedEvent event = parse_event(std::string_view(run).substr(begin + 1, end - begin - 1));
      begin = end;
      if (!event.took_lock) continue;
      if (const auto before = last.find(event.object); before != last.end()) pairs.insert({before->second, event.line});
      last[event.object] = event.line;
    }
  }
  return pairs;
}

}  // namespace norn::test
