#include "explore/accept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "support/hash.hpp"
#include "trace/alternative.hpp"
#include "trace/dependency.hpp"

namespace norn {
namespace {

const std::string anything = "*";
const std::string one_after_the_other = "!";

bool is_name(const std::string& object) { return object != anything && object != one_after_the_other; }

}  // namespace

Accept::Accept(const std::string& sequence, const ThreadNames& names) : names_(names) {
  std::istringstream lines(sequence);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("= ")) {
      add_binding(line);
      continue;
    }
    Step step;
    std::istringstream words(line);
    words >> step.thread >> step.operation >> step.alternative >> std::ws;
    std::getline(words, step.object);
    is_strict_ |= step.object == one_after_the_other;
    steps_.push_back(std::move(step));
  }
  begin_anew();
}

void Accept::add_binding(const std::string& line) {
  std::istringstream words(line.substr(2));
  std::uintptr_t address = 0;
  std::string name;
  words >> address >> std::ws;
  std::getline(words, name);
  known_[name].push_back(reinterpret_cast<const void*>(address));
}

void Accept::begin_anew() {
  path_.clear();
  untried_.clear();
  states_.clear();
  started_ = false;
  progress_ = furthest_ = {std::vector<bool>(steps_.size(), false), {}, 0, 0};
  reached_ = 0;
  knows_instead_ = false;
}

bool Accept::next(Prefix& prefix) {
  if (accepted_) return false;
  if (started_) {
    while (!untried_.empty() && untried_.back().empty()) untried_.pop_back();
    if (untried_.empty()) return false;
    path_.resize(untried_.size());
    path_.back() = untried_.back().back();
    untried_.back().pop_back();
  }
  started_ = true;
  progress_ = {std::vector<bool>(steps_.size(), false), {}, 0, 0};
  prefix.clear();
  for (const Move& move : path_) prefix.push_back(move.choice);
  return true;
}

/// The first event of a thread that has not been exercised yet.
std::size_t Accept::next_of(const std::string& thread, const Progress& progress) const {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (!progress.done[i] && steps_[i].thread == thread) return i;
  return none;
}

bool Accept::is_next_on_object(std::size_t index, const Progress& progress) const {
  if (steps_[index].object == anything) return true;
  for (std::size_t i = 0; i < index; ++i)
    if (!progress.done[i] && steps_[i].object == steps_[index].object) return false;
  return true;
}

/// The name of an object, if it has one and the sequence has more events on it.
const std::string* Accept::awaiting(const void* object, const Progress& progress) const {
  for (const auto& [name, known] : progress.objects)
    for (std::size_t i = 0; known == object && i < steps_.size(); ++i)
      if (!progress.done[i] && steps_[i].object == name) return &name;
  return nullptr;
}

/// Whether a name that nothing has had so far can be that of an object.
bool Accept::may_mean(const std::string& name, const void* object, const Progress& progress) const {
  for (const auto& [other, known] : progress.objects)
    if (other == name || known == object) return false;
  for (const auto& [other, objects] : known_) {
    const bool is_among = std::find(objects.begin(), objects.end(), object) != objects.end();
    if (other == name ? !is_among : is_among && objects.size() == 1) return false;
  }
  return true;
}

/// Giving back a lock is an event only where somebody tries to take it, so most sequences do not speak of it.
bool Accept::is_passed_over(Op op) const {
  const auto is_it = [op](const Step& step) { return step.operation == name(op); };
  return !is_strict_ && gives_back(op) && std::none_of(steps_.begin(), steps_.end(), is_it);
}

Accept::Verdict Accept::judge(Choice choice, Op op, const void* object, const Progress& progress) const {
  if (is_passed_over(op)) return {none, true, false};
  const std::size_t index = next_of(names_.name(choice.thread), progress);
  const Step* const step = index == none ? nullptr : &steps_[index];
  const bool matches =
      step != nullptr && step->operation == name(op) &&
      (step->alternative == anything || step->alternative == alternative_text(op, choice.alternative, names_)) &&
      is_next_on_object(index, progress);
  if (is_strict_) return {matches ? index : none, progress.count == steps_.size(), true};
  if (const std::string* const awaited = awaiting(object, progress))
    return {matches && step->object == *awaited ? index : none, false, true};
  if (!matches) return {none, true, false};
  // The sooner the better: of an event on just any object nothing else depends.
  if (!is_name(step->object)) return {index, false, false};
  return {may_mean(step->object, object, progress) ? index : none, true, false};
}

void Accept::follow(std::span<const Event> events) {
  for (; progress_.events < events.size(); ++progress_.events) {
    const std::size_t at = progress_.events;
    if (at >= path_.size() || !path_[at].is_part) continue;
    const Event& event = events[at];
    const std::size_t index = judge({event.thread, event.alternative}, event.op, event.object, progress_).step;
    if (index == none) continue;
    progress_.done[index] = true;
    ++progress_.count;
    const std::string& name = steps_[index].object;
    const auto is_it = [&name](const auto& one) { return one.first == name; };
    if (is_name(name) && std::none_of(progress_.objects.begin(), progress_.objects.end(), is_it))
      progress_.objects.emplace_back(name, event.object);
  }
  if (progress_.count > reached_) {
    reached_ = progress_.count;
    furthest_ = progress_;
    knows_instead_ = false;
  }
}

/// What is worth trying, the most promising last. An event that has to be the next on its object can come at once:
/// nothing that others do depends on it.
std::vector<Accept::Move> Accept::moves(const FreeChoice& at) const {
  std::vector<Move> between;
  std::vector<Move> parts;
  ThreadId due = no_thread;
  for (const Choice& choice : at.enabled) {
    const Upcoming upcoming = at.threads->upcoming(choice.thread);
    const Verdict verdict = judge(choice, upcoming.op, upcoming.object, progress_);
    if (verdict.step != none) parts.push_back({choice, true});
    if (verdict.step != none && verdict.is_due && due == no_thread) due = choice.thread;
    if (verdict.may_be_between) between.push_back({choice, false});
  }
  if (due != no_thread) {
    std::erase_if(parts, [due](const Move& move) { return move.choice.thread != due; });
    return parts;
  }
  // Those go on whom the sequence needs first.
  const auto need = [this](const Move& move) {
    const std::size_t index = next_of(names_.name(move.choice.thread), progress_);
    return index != none && is_next_on_object(index, progress_) ? index : steps_.size();
  };
  std::reverse(between.begin(), between.end());
  std::stable_sort(between.begin(), between.end(), [&](const Move& a, const Move& b) { return need(a) > need(b); });
  between.insert(between.end(), parts.rbegin(), parts.rend());
  return between;
}

/// Where a run is: what has happened, as a partial order, and what of it the sequence speaks of.
std::uint64_t Accept::state(std::span<const Event> events) {
  std::uint64_t hash = canonical_.fingerprint(events);
  for (const bool is_done : progress_.done) hash = combine(hash, is_done ? 1 : 0);
  for (const auto& [name, object] : progress_.objects) {
    hash = combine(hash, hash_bytes(name.data(), name.size()));
    hash = combine(hash, reinterpret_cast<std::uintptr_t>(object));
  }
  return hash;
}

std::size_t Accept::choose(const FreeChoice& at) {
  follow(at.threads->events());
  if (progress_.count == steps_.size()) return 0;
  std::vector<Move> all = moves(at);
  const bool has_part = std::any_of(all.begin(), all.end(), [](const Move& move) { return move.is_part; });
  if (progress_.count == reached_ && !knows_instead_ && !has_part) note_stuck(at);
  if (all.empty() || !states_.insert(state(at.threads->events())).second) return give_up;
  const Move first = all.back();
  all.pop_back();
  path_.push_back(first);
  untried_.push_back(std::move(all));
  return static_cast<std::size_t>(std::find(at.enabled.begin(), at.enabled.end(), first.choice) - at.enabled.begin());
}

void Accept::note_stuck(const FreeChoice& at) {
  knows_instead_ = true;
  instead_.clear();
  for (const Choice& choice : at.enabled) {
    const Upcoming upcoming = at.threads->upcoming(choice.thread);
    instead_.emplace_back(fmt::format("{} {}", names_.name(choice.thread), name(upcoming.op)),
                          reinterpret_cast<std::uintptr_t>(upcoming.object));
  }
}

void Accept::learn(const Trace& trace) {
  follow(trace.events);
  accepted_ = progress_.count == steps_.size();
}

std::vector<std::string> Accept::expected() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (!furthest_.done[i] && next_of(steps_[i].thread, furthest_) == i && is_next_on_object(i, furthest_))
      lines.push_back(fmt::format("{} {}{}", steps_[i].thread, steps_[i].operation,
                                  is_name(steps_[i].object) ? " on " + steps_[i].object : ""));
  return lines;
}

}  // namespace norn
