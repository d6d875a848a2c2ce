#include "explore/reachability/reductions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "support/hash.hpp"

namespace norn::reachability {
namespace {

struct Name {
  std::string_view name;
  std::string_view assumption;
};

constexpr std::array<Name, 5> names = {{
    {"pv", "no differences between P and V operations that commute (--reduce pv)"},
    {"symmetry", "no differences between the threads of a symmetric group (--reduce symmetry)"},
    {"symmetry-paper",
     "no differences between the threads of a symmetric group, whatever they have done before "
     "(--reduce symmetry-paper)"},
    {"symmetry=auto", "no differences between threads that are started with the same data (--reduce symmetry=auto)"},
    {"unordered", "no differences by the order of messages to unordered ports (--reduce unordered)"},
}};

template <typename Use>
void for_each_word(std::string_view list, const Use& use) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    use(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

const Name* find(std::string_view word) {
  for (const Name& name : names)
    if (name.name == word) return &name;
  return nullptr;
}

}  // namespace

std::vector<std::string> names_of_reductions() {
  std::vector<std::string> all;
  for (const Name& name : names) all.emplace_back(name.name);
  return all;
}

std::string unknown_reduction(std::string_view list) {
  std::string unknown;
  for_each_word(list, [&](std::string_view word) {
    if (unknown.empty() && find(word) == nullptr) unknown = word;
  });
  return unknown;
}

std::vector<std::string> assumptions_of_reductions(std::string_view list) {
  std::vector<std::string> assumptions;
  for_each_word(list, [&](std::string_view word) {
    if (const Name* name = find(word)) assumptions.emplace_back(name->assumption);
  });
  return assumptions;
}

Reductions Reductions::of(std::string_view list) {
  Reductions reductions;
  for_each_word(list, [&](std::string_view word) {
    reductions.pv |= word == "pv";
    reductions.symmetry |= word == "symmetry" || word == "symmetry=auto";
    reductions.symmetry_paper |= word == "symmetry-paper";
    reductions.unordered |= word == "unordered";
  });
  return reductions;
}

bool Reductions::ignores(const SynSequence& sequence, const Receiving& r, const Sending& s) const {
  // Whatever is completed after a V could as well be completed before it, and that makes no difference.
  if (pv && r.partner.op == Op::semaphore_post) return true;
  if (unordered && r.is_unordered) return true;
  return are_the_same(sequence, r.partner, s);
}

bool Reductions::are_the_same(const SynSequence& sequence, const Sending& a, const Sending& b) const {
  if (!uses_groups()) return false;
  if (a.sender == no_thread || b.sender == no_thread) return false;
  const void* group = sequence.groups[a.sender];
  if (group == nullptr || group != sequence.groups[b.sender] || a.op != b.op || a.port != b.port) return false;
  return a.is_first && b.is_first;
}

bool are_told_apart(const Trace& trace) {
  struct Join {
    ThreadId by;
    unsigned deeds;  ///< what it had done until then
  };
  struct Group {
    unsigned members = 0;
    std::vector<Join> joins = {};
  };
  const ThreadId width = width_of(trace);
  std::vector<const void*> group_of(width, nullptr);
  std::map<const void*, Group> groups;
  for (const Link& link : trace.links) {
    if (link.kind != LinkKind::grouped) continue;
    const void*& group = group_of[link.other != no_thread ? link.other : link.thread];
    if (group == nullptr) ++groups[link.object].members;
    group = link.object;
  }
  std::vector<unsigned> deeds(width, 0);
  auto links = trace.links;
  for (std::uint32_t i = 0; i <= trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) {
      const Link& link = links.front();
      const bool is_deed = link.kind == LinkKind::created || link.kind == LinkKind::sent;
      deeds[link.thread] += is_deed ? 1 : 0;
      if (link.kind == LinkKind::joined && group_of[link.other] != nullptr)
        groups[group_of[link.other]].joins.push_back({link.thread, deeds[link.thread]});
    }
    if (i < trace.events.size()) ++deeds[trace.events[i].thread];
  }
  return std::any_of(groups.begin(), groups.end(), [&](const auto& entry) {
    const auto& [members, joins] = entry.second;
    if (joins.empty()) return false;
    const Join& first = joins.front();
    const auto differs = [&](const Join& join) { return join.by != first.by || join.deeds != first.deeds; };
    const bool are_all = joins.size() >= members || deeds[first.by] == first.deeds;
    return !are_all || std::any_of(joins.begin(), joins.end(), differs);
  });
}

std::uint64_t class_of(const SynSequence& sequence) {
  const auto group_of = [&](ThreadId thread) {
    const void* group = thread == no_thread ? nullptr : sequence.groups[thread];
    return group == nullptr ? std::uint64_t{thread} : reinterpret_cast<std::uintptr_t>(group);
  };
  // What each object, and each thread that receives, has seen so far.
  std::vector<std::pair<const void*, std::uint64_t>> objects;
  std::vector<std::uint64_t> receivers(sequence.width, 0);
  const auto seen_by = [&](const Receiving& r) -> std::uint64_t& {
    if (r.is_on_thread()) return receivers[r.thread];
    for (auto& [object, seen] : objects)
      if (object == r.object) return seen;
    return objects.emplace_back(r.object, reinterpret_cast<std::uintptr_t>(r.object)).second;
  };
  for (const Receiving& r : sequence.receiving) {
    if (r.changes_instead) continue;
    std::uint64_t& seen = seen_by(r);
    seen = combine(seen, group_of(r.partner.sender));
    seen = combine(combine(seen, static_cast<std::uint64_t>(r.partner.op)), r.partner.argument);
    // Sending to another port is another operation.
    const void* const where = r.is_message ? r.partner.port : r.is_look ? r.object : nullptr;
    seen = combine(seen, reinterpret_cast<std::uintptr_t>(where));
  }
  std::uint64_t sum = 0;
  for (const auto& [object, seen] : objects) sum += seen;
  for (ThreadId thread = 0; thread < sequence.width; ++thread)
    if (receivers[thread] != 0) sum += combine(receivers[thread], group_of(thread));
  return sum;
}

}  // namespace norn::reachability
