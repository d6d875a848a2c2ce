// Every Mazurkiewicz trace once.

#include "explore/dpor/dpor.hpp"

#include <algorithm>
#include <utility>

#include "explore/entangled.hpp"
#include "explore/preemption.hpp"
#include "support/hash.hpp"

namespace norn::dpor {
namespace {

Choice choice_of(const Node& node) { return {node.thread, node.alternative}; }

/// Whether a thread that goes round in vain writes what is there already, in the middle of other things. (Trying to
/// take a lock again and again is nothing else than waiting for it.)
bool writes_in_vain(std::span<const Event> events) {
  const auto is_other = [](const Event& one, const Event& write) {
    return one.in_vain && one.thread == write.thread && one.object != write.object;
  };
  return std::any_of(events.begin(), events.end(), [&](const Event& write) {
    if (!write.in_vain || write.effect != Effect::write) return false;
    if (write.op == Op::atomic_store) return true;
    return write.op == Op::atomic_update &&
           std::any_of(events.begin(), events.end(), [&](const Event& one) { return is_other(one, write); });
  });
}

/// These say only what is known to threads, which do nothing any more.
bool are_no_matter(std::span<const Link> links) {
  return std::all_of(links.begin(), links.end(), [](const Link& link) {
    return link.kind == LinkKind::created || link.kind == LinkKind::joined || link.kind == LinkKind::met ||
           link.kind == LinkKind::released;
  });
}

}  // namespace

Dpor::Dpor(const Options& options)
    : races_matter_(options.plain != "visible"),
      linearizations_(options.spurious),
      order_(options.seed),
      forgets_(options.forget),
      survey_(options.seed),
      ends_early_(options.keep_going) {
  if (options.bounds_preemptions()) bound_ = static_cast<unsigned>(options.preemptions);
}

Frame& Dpor::push() {
  if (depth_ == frames_.size()) frames_.push_back(std::make_unique<Frame>());
  Frame& frame = *frames_[depth_++];
  frame.clear();
  return frame;
}

bool Dpor::next(Prefix& prefix) {
  if (!started_) {
    started_ = true;
    push();
  } else if (depth_ == 0 || (!top().again && !std::exchange(top().retry, false) && !advance())) {
    return false;
  }
  overtakers_.begin();
  const Frame& frame = top();
  prefix.resize(frame.nodes.size());
  std::transform(frame.nodes.begin(), frame.nodes.end(), prefix.begin(), choice_of);
  if (frame.is_cut) {
    prefix.clear();
    for (Position i = 0; i < frame.nodes.size(); ++i)
      if (!frame.removed[i]) prefix.push_back(choice_of(frame.nodes[i]));
    prefix.push_back(choice_of(frame.ends.front().node));
  }
  return true;
}

/// Goes to the next graph that is to be explored; false if there is none.
bool Dpor::advance() {
  while (true) {
    if (survey_.is_waiting()) {
      survey_.looked(top().is_execution);
      offer_children(depth_ - 1);
    }
    while (depth_ != 0 && top().children.empty()) --depth_;
    if (depth_ == 0) return false;
    const auto [point, index] = next_branch();
    Frame& parent = *frames_[point];
    std::swap(parent.children[index], parent.children.back());
    survey_.moved(point, parent.children.size() - 1, index);
    const Child child = parent.children.back();
    parent.children.pop_back();
    const bool is_forgotten = forgets_ != 0 && ++derived_ % forgets_ == 0;
    if (is_forgotten || is_in_vain(parent, child) || leads_nowhere(parent, child)) {
      if (survey_.is_waiting()) survey_.looked(false);
      continue;
    }
    push();
    derive(*frames_[point], child);
    top().stratum = stratum_of(*frames_[point], child.kind == Child::Kind::cut ? 0 : top().pinned());
    forget_done(point);
    if (!top().is_cut) return true;
    find_cuts(top(), top().cut_at, 0);
    if (!was_seen(top(), top().ends.front().node)) return true;
  }
}

/// Where each graph leads to just one more, there would be as many of them as a run has events.
void Dpor::forget_done(std::size_t point) {
  constexpr std::size_t deep = 64;
  if (depth_ < deep || point + 2 != depth_ || !frames_[point]->children.empty()) return;
  std::swap(frames_[point], frames_[point + 1]);
  --depth_;
}

std::size_t Dpor::choose(const FreeChoice& at) {
  const Frame& frame = top();
  if (at.step == frame.given && frame.forced != no_thread) {
    for (std::size_t i = 0; i < at.enabled.size(); ++i)
      if (at.enabled[i].thread == frame.forced &&
          (frame.any_alternative || at.enabled[i].alternative == frame.forced_alternative))
        return i;
    return at.enabled.size();
  }
  if (at.step == frame.pinned() && waits_in_prefix(at.threads->events())) return give_up;
  const bool is_free = frame.holds.empty() && frame.endings.empty() && !frame.end;
  if (!is_free) return choose_carefully(at);
  if (has_readers_)
    if (const auto in_turn = choose_in_turn(at)) return *in_turn;
  if (!foresight_.knows_places() && at.threads->knows_waiting_places()) foresight_.add_places(*at.threads);
  if (foresight_.knows_places()) return choose_among_waiting(at);
  return bound_ ? without_preemption(at) : mostly_without_preemption(at);
}

/// As `choose` does where all threads are alike. Where runs end early, it matters who else could have moved: the first
/// run shows most programs that do so by themselves, and after the first one that fails there are none unless asked
/// for.
std::uint32_t Dpor::goes_on_from() const {
  const Frame& frame = top();
  const bool is_free = frame.stratum != no_stratum && frame.holds.empty() && frame.endings.empty() && !frame.end;
  const bool all_are_alike = !ends_early_ && !has_readers_ && !foresight_.knows_places();
  return is_free && all_are_alike ? frame.pinned() : UINT32_MAX;
}

/// Some threads must not move. What ends the run comes last.
std::size_t Dpor::choose_carefully(const FreeChoice& at) {
  const Frame& frame = top();
  const auto events = at.threads->events();
  std::size_t best = give_up;
  std::size_t best_ending = give_up;
  bool may_turn_out_well = false;
  const auto consider = [&](std::size_t i) {
    const ThreadId thread = at.enabled[i].thread;
    if (const Ending* ending = next_ending(thread, events)) {
      const bool is_known = still_ends(*ending, events);
      if (best_ending == give_up || (!is_known && !may_turn_out_well)) best_ending = i;
      may_turn_out_well |= !is_known;
    } else if (best == give_up || (thread == at.last && at.enabled[best].thread != at.last)) {
      best = i;
    }
  };
  late_.clear();
  for (std::size_t i = 0; i < at.enabled.size(); ++i) {
    const ThreadId thread = at.enabled[i].thread;
    const Upcoming upcoming = at.threads->upcoming(thread);
    if (frame.is_held(thread, events) || (frame.end && !may_move(thread, upcoming, events))) continue;
    if (may_be_out_of_turn(thread, *at.threads)) {
      late_.push_back(i);
    } else {
      consider(i);
    }
  }
  for (std::size_t i = 0; i < late_.size() && best == give_up; ++i)
    if (!is_out_of_turn_now(at.enabled[late_[i]].thread, *at.threads)) consider(late_[i]);
  if (best != give_up) return best;
  if (may_turn_out_well || (best_ending != give_up && !frame.end)) return best_ending;
  for (std::size_t i = 0; i < at.enabled.size() && frame.end; ++i)
    if (at.enabled[i] == Choice{frame.end->node.thread, frame.end->node.alternative}) return i;
  const auto may_look = [&](Choice choice) { return frame.may_look_again(choice.thread, events); };
  if (std::all_of(at.enabled.begin(), at.enabled.end(), may_look)) return 0;
  // Those that are left in the middle of a round go on to its end, so that they show what they look at last.
  const auto is_left = [&](Choice choice) { return frame.is_held(choice.thread, events); };
  if (frame.end || !std::all_of(at.enabled.begin(), at.enabled.end(), is_left)) return give_up;
  const auto goes_on = [&](Choice choice) { return !went_round_in_given(choice.thread, events); };
  const auto next = std::find_if(at.enabled.begin(), at.enabled.end(), goes_on);
  return next == at.enabled.end() ? give_up : static_cast<std::size_t>(next - at.enabled.begin());
}

std::uint32_t Dpor::number_of(const void* object) {
  Numbered& recent = recent_[combine(reinterpret_cast<std::uintptr_t>(object), 0) % recent_.size()];
  if (recent.object != object || recent.number == nowhere) recent = {object, find_number(object)};
  return recent.number;
}

std::uint32_t Dpor::find_number(const void* object) {
  const auto [entry, is_new] = numbers_.try_emplace(object, static_cast<std::uint32_t>(objects_.size()));
  if (is_new) objects_.push_back(object);
  return entry->second;
}

/// Graphs are about the same objects in every run: they must be where they were.
bool Dpor::is_as_foreseen(const Trace& trace) const {
  const Frame& frame = top();
  if (frame.is_cut) return true;
  for (Position i = 0; i < frame.given && i < trace.events.size(); ++i) {
    const Node& node = frame.nodes[i];
    const bool is_placed = node.address == nullptr;
    if (trace.events[i].op != node.op || (!is_placed && trace.events[i].object != node.address)) return false;
  }
  return true;
}

std::string_view Dpor::why_unsuitable(const Trace& trace) const {
  const auto is_step = [](const Event& event) { return event.op == Op::step_begin || event.op == Op::yield; };
  const auto in_vain = [](const Event& event) { return event.in_vain; };
  const auto any = [&trace](const auto& is_it) { return std::any_of(trace.events.begin(), trace.events.end(), is_it); };
  const auto gave_up = [&] { return any(in_vain) || !top().holds.empty() || waited_for_turn(trace) || trace.in_part; };
  if (trace.spun || (trace.end() == End::repeats && !gave_up()) || any(is_step) ||
      (trace.knows_loops && writes_in_vain(trace.events)))
    return "threads wait in loops in which they change something";
  if (is_lost_) return "threads wait in loops in a way that cannot be foreseen";
  if (const std::string_view why = why_entangled(trace); !why.empty()) return why;
  if (trace.polled_several) return "selective waits look at several ports, and some do not wait";
  if (ended_early(trace) && any(in_vain)) return "the program ends while threads wait in loops";
  const auto receives = [](const Event& event) { return event.op >= Op::receive && event.op <= Op::withdraw; };
  if (trace.knows_loops && any(receives)) return "threads wait in loops and receive messages";
  const auto meets = [](const Event& event) { return event.op >= Op::binary_post && event.op <= Op::withdraw; };
  if (ended_early(trace) && any(meets)) return "runs end early, and threads receive messages or wait to give back";
  if (failed_with_another(trace)) return "a thread fails as soon as another one lets it go on, while others are there";
  if (trace.raced && races_matter_) return "what they do may depend on data races";
  if (trace.end() == End::diverged || !is_as_foreseen(trace)) return "a run did not go as foreseen";
  return unbounded_;
}

void Dpor::learn(const Trace& trace) {
  const std::size_t known = top().children.size();
  ++runs_;
  derive_from(trace);
  keep_bound(top(), known);
  top().is_execution = !top().is_open() && !redundant_ && !is_beyond_;
}

/// At least as many as there are threads, the numbers that are not used included.
unsigned Dpor::width_of(std::span<const Event> events, std::span<const Link> links) {
  unsigned width = 1;
  for (const Link& link : links)
    if (link.kind == LinkKind::created) width = std::max(width, link.other + 1U);
  for (const Event& event : events) width = std::max(width, event.thread + 1U);
  return (width + clocks_at_a_time - 1) / clocks_at_a_time * clocks_at_a_time;
}

/// Finds out what is to be derived from the graph that has been run.
void Dpor::derive_from(const Trace& run) {
  Frame& frame = top();
  redundant_ = run.end() == End::repeats;
  if (ended_early(run)) {
    // Who else could have moved has not been looked at.
    frame.retry = goes_on_from() != UINT32_MAX;
    ends_early_ = true;
    if (frame.retry) {
      redundant_ = true;
      return;
    }
  }
  const bool again = std::exchange(frame.again, false);
  if (frame.is_cut) return;
  frame.finished = run.end() == End::finished && !ended_early(run);
  knows_loops_ = run.knows_loops;
  learn_rounds(run);
  std::vector<Hold> rounds = rounds_in_vain(frame, run);
  for (Hold& round : rounds)
    if (!was_held(frame, run, round, rounds)) return hold(frame, std::move(round));
  redundant_ |= !rounds.empty();
  const Trace& whole = rounds.empty() ? run : held_.until(run, rounds);
  const Trace& trace = without_rounds_.of(whole, frame.pinned());
  frame.widen(width_of(trace));
  if (sees_too_much(frame, whole) || disturbs_end(frame, whole)) return;
  const bool early = ended_early(trace);
  const bool ended_by_graph = early && trace.events.size() == frame.nodes.size();
  if ((trace.events.size() < frame.nodes.size() || ended_by_graph) && !end_at_placed(frame, trace)) return;
  const Position known = causality_.begin(frame, trace.events.size(), trace.links.size(), !knows_loops_);
  opens_.clear();
  late_sends_.clear();
  races_.begin(frame, trace.releases.of_shares, bound_.has_value(), ahead_of(trace));
  if (knows_loops_) histories_.begin(frame.width);
  auto choices = trace.choices;
  auto links = trace.links;
  const auto length = static_cast<Position>(trace.events.size() - (early ? 1 : 0));
  Position first = 0;
  if (known != nowhere) {
    for (; first < known; ++first) frame.nodes[first].before = trace.events[first].before;
    while (!links.empty() && links.front().step <= known) links = links.subspan(1);
  }
  for (Position i = first; i <= length; ++i) {
    if (i == length && !early && trace.pending.empty() && are_no_matter(links)) break;
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) {
      follow(links.front(), i, i > frame.given);
      if (links.front().kind != LinkKind::sent) continue;
      const bool is_placed = i != 0 && i <= frame.given && frame.nodes[i - 1].stamp == frame.placed;
      if (is_placed) late_sends_.push_back(links.front());
    }
    if (i == frame.given) find_receivers_of_late_sends(i);
    if (i == length) break;
    const Event& event = trace.events[i];
    if (i >= frame.given) {
      add_node(frame, event, choices.first(event.enabled));
      choices = choices.subspan(event.enabled);
    } else {
      frame.nodes[i].before = event.before;
    }
    causality_.add(i);
    if (knows_loops_) frame.nodes[i].history = histories_.add(event, frame.nodes[i].object);
  }
  if (early) return learn_end(frame, trace, choices, links, again);
  causality_.keep();
  for (const Pending& pending : trace.pending) find_for(pending, nullptr);
}

void Dpor::add_node(Frame& frame, const Event& event, std::span<const Choice> enabled) {
  const auto i = static_cast<Position>(frame.nodes.size());
  const std::uint32_t object = number_of(event.object);
  const Candidate candidate{event.thread, event.op,         causality_.count(event.thread) + 1, object, event.argument,
                            false,        event.whereabouts};
  const bool forced = i == frame.given && frame.forced != no_thread;
  if (event.op == Op::condition_wait)
    before_wait_.assign(causality_.past(event.thread), causality_.past(event.thread) + frame.width);
  if (goes_on_a_step(frame, i, event.op, event.thread)) {
    if (!frame.nodes[i - 1].chosen) find_for_step(frame, candidate, i, event.before);
  } else if (!forced) {
    races_.find(candidate, i, causality_.last_on(object), causality_.past(event.thread), event.before);
  }
  bool first = true;
  bool chosen = forced;
  for (const Choice& choice : enabled) {
    if (choice.thread != event.thread) continue;
    if (choice.alternative != event.alternative && (!forced || frame.any_alternative))
      frame.children.push_back(
          {Child::Kind::alternative, event.thread, choice.alternative, false, i, nowhere, no_row, frame.next_stamp});
    if (choice.alternative == event.alternative && !first) chosen = true;
    first = false;
  }
  if (chosen) frame.chosen.push_back(i);
  frame.nodes.push_back(node_of(event, object));
  Node& node = frame.nodes.back();
  node.chosen = chosen;
  node.stamp = frame.next_stamp++;
  if (forced) node.overtaken = frame.overtaken;
  // Both events of a step overtake.
  if (goes_on_a_step(frame, i, event.op, event.thread)) node.overtaken = frame.nodes[i - 1].overtaken;
  node.overtaken_index = frame.overtaken_index;
  has_readers_ |= node.shares;
}

/// As if the run had come to it by itself.
Node Dpor::node_of(const Event& event, std::uint32_t object) {
  return {event.thread,
          event.alternative,
          event.op,
          event.effect,
          shares(event.op, event.effect, event.before),
          false,
          no_thread,
          0,
          0,
          0,
          object,
          nowhere,
          nowhere,
          nowhere,
          no_row,
          event.before,
          event.argument,
          event.object,
          0,
          event.whereabouts,
          event.value};
}

void Dpor::follow(const Link& link, Position length, bool is_new) {
  if (knows_loops_) follow_history(link);
  if (link.kind == LinkKind::opened) {
    causality_.keep_nothing();
    return opens_.push_back({length - 1, number_of(link.object), link.other});
  }
  const std::uint32_t object = Causality::names_object(link.kind) ? number_of(link.object) : 0;
  if (link.kind == LinkKind::sent && is_new && causality_.messages(link.thread, object) == 0)
    find_receivers(link, length, causality_.past(link.thread));
  const bool could_expire = link.op == Op::condition_timed_sleep || link.op == Op::address_timed_sleep;
  if (link.kind == LinkKind::woke && could_expire && is_new) {
    const std::uint32_t slept_at = number_of(link.object);
    races_.find({link.other, link.op, causality_.count(link.other) + 1, slept_at, 0, true}, length,
                causality_.last_on(slept_at), causality_.past(link.other), 0);
  }
  causality_.follow(link, object, length);
}

/// What waits, or would end the run, could have happened elsewhere. One after the other: while one is placed elsewhere,
/// those before it stay.
void Dpor::find_for(const Pending& pending, const Ending* ending) {
  const bool may_move = foresee(pending.op, pending.argument, pending.thread, 0) != Foreseen::blocked ||
                        foresee(pending.op, pending.argument, pending.thread, 1) != Foreseen::blocked;
  if (!may_move && ending == nullptr) return;
  has_readers_ |= is_reader(pending.op);
  Frame& frame = top();
  const auto length = static_cast<Position>(frame.nodes.size());
  const std::uint32_t object = number_of(pending.object);
  const std::uint32_t index = causality_.count(pending.thread) + 1;
  const std::size_t before = frame.children.size();
  if (may_move)
    races_.find({pending.thread, pending.op, index, object, pending.argument, true, pending.whereabouts}, length,
                causality_.last_on(object), causality_.past(pending.thread),
                ending != nullptr ? ending->node.before : 0);
  if (ending != nullptr && !frame.is_waiting(pending.thread, index))
    for (const std::uint16_t alternative : ending->alternatives)
      frame.children.push_back(
          {Child::Kind::alternative, pending.thread, alternative, false, length, nowhere, no_row, frame.next_stamp});
  const auto stays = [](const Child& child) { return child.kind != Child::Kind::revisit; };
  if (std::none_of(frame.children.begin() + before, frame.children.end(), stays)) return;
  for (auto child = frame.children.begin() + before; child != frame.children.end(); ++child)
    child->stuck = static_cast<std::uint32_t>(frame.stuck.size());
  frame.stuck.push_back(look_of(pending));
}

}  // namespace norn::dpor

namespace norn {

std::unique_ptr<Strategy> make_dpor(const Options& options) { return std::make_unique<dpor::Dpor>(options); }

}  // namespace norn
