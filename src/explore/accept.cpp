#include "explore/accept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "trace/alternative.hpp"

namespace norn {
namespace {

const std::string anything = "*";
const std::string one_after_the_other = "!";

bool is_name(const std::string& object) { return object != anything && object != one_after_the_other; }

}  // namespace

Accept::Accept(const std::string& sequence, const ThreadNames& names) : names_(names) {
  std::istringstream lines(sequence);
  for (std::string line; std::getline(lines, line);) {
    Step step;
    std::istringstream words(line);
    words >> step.thread >> step.operation >> step.alternative >> std::ws;
    std::getline(words, step.object);
    steps_.push_back(std::move(step));
  }
  begin_anew();
}

void Accept::begin_anew() {
  path_.clear();
  untried_.clear();
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
  prefix = path_;
  return true;
}

/// The first event of a thread that has not been exercised yet.
const Accept::Step* Accept::next_of(const std::string& thread, const Progress& progress, std::size_t& index) const {
  for (index = 0; index < steps_.size(); ++index)
    if (!progress.done[index] && steps_[index].thread == thread) return &steps_[index];
  return nullptr;
}

bool Accept::is_next_on_object(std::size_t index, const Progress& progress) const {
  for (std::size_t i = 0; i < index; ++i)
    if (!progress.done[i] && steps_[i].object == steps_[index].object && steps_[i].object != anything) return false;
  return true;
}

/// Whether the sequence has more events on this object.
bool Accept::is_awaited(const void* object, const Progress& progress) const {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (!progress.done[i] && steps_[i].object == one_after_the_other) return true;
  for (const auto& [name, known] : progress.objects)
    for (std::size_t i = 0; known == object && i < steps_.size(); ++i)
      if (!progress.done[i] && steps_[i].object == name) return true;
  return false;
}

/// Whether something is the next event of the sequence, may come in between, or neither.
Accept::Verdict Accept::judge(Choice choice, Op op, const void* object, const Progress& progress,
                              std::size_t& index) const {
  const Step* step = next_of(names_.name(choice.thread), progress, index);
  if (step != nullptr && step->operation == name(op) &&
      (step->alternative == anything || step->alternative == alternative_text(op, choice.alternative, names_)) &&
      is_next_on_object(index, progress)) {
    const auto means = [&](const auto& one) { return one.first == step->object || one.second == object; };
    const auto known = std::find_if(progress.objects.begin(), progress.objects.end(), means);
    const bool fits = !is_name(step->object) || known == progress.objects.end() ||
                      (known->first == step->object && known->second == object);
    if (fits) return Verdict::part;
  }
  return is_awaited(object, progress) ? Verdict::wrong : Verdict::between;
}

void Accept::follow(std::span<const Event> events) {
  for (; progress_.events < events.size(); ++progress_.events) {
    const Event& event = events[progress_.events];
    std::size_t index = 0;
    if (judge({event.thread, event.alternative}, event.op, event.object, progress_, index) != Verdict::part) continue;
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

/// What is part of the sequence comes first: it does not matter when it comes. Otherwise everything that may come in
/// between is tried.
std::size_t Accept::choose(const FreeChoice& at) {
  follow(at.threads->events());
  std::size_t found = give_up;
  Prefix between;
  for (std::size_t i = 0; i < at.enabled.size() && found == give_up; ++i) {
    const Upcoming upcoming = at.threads->upcoming(at.enabled[i].thread);
    std::size_t index = 0;
    const Verdict verdict = judge(at.enabled[i], upcoming.op, upcoming.object, progress_, index);
    if (verdict == Verdict::part) found = i;
    if (verdict == Verdict::between) between.push_back(at.enabled[i]);
  }
  if (progress_.count == steps_.size()) found = 0;
  if (progress_.count == reached_ && !knows_instead_ && found == give_up) note_stuck(at);
  if (found == give_up && !between.empty()) {
    const auto first = std::find(at.enabled.begin(), at.enabled.end(), between.front());
    found = static_cast<std::size_t>(first - at.enabled.begin());
    between.erase(between.begin());
  } else {
    between.clear();
  }
  if (found == give_up) return give_up;
  path_.push_back(at.enabled[found]);
  untried_.push_back(std::move(between));
  return found;
}

void Accept::note_stuck(const FreeChoice& at) {
  knows_instead_ = true;
  instead_.clear();
  for (const Choice& choice : at.enabled)
    instead_.push_back(fmt::format("{} {}", names_.name(choice.thread), name(at.threads->upcoming(choice.thread).op)));
}

void Accept::learn(const Trace& trace) {
  follow(trace.events);
  accepted_ = progress_.count == steps_.size();
}

std::vector<std::string> Accept::expected() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    std::size_t first = 0;
    if (!furthest_.done[i] && next_of(steps_[i].thread, furthest_, first) == &steps_[i] &&
        is_next_on_object(i, furthest_))
      lines.push_back(fmt::format("{} {}", steps_[i].thread, steps_[i].operation));
  }
  return lines;
}

}  // namespace norn
