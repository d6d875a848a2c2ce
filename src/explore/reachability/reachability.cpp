#include "explore/reachability/reachability.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explore/entangled.hpp"
#include "explore/preemption.hpp"

namespace norn::reachability {
namespace {

bool is_construct(const Event& event) { return event.op >= Op::monitor_enter && event.op <= Op::withdraw; }

bool uses_constructs(const Trace& trace) { return std::any_of(trace.events.begin(), trace.events.end(), is_construct); }

/// Whether a thread takes a lock that it holds already: nobody could have come before it.
bool takes_again(const Event& event) {
  const bool takes = event.op == Op::mutex_lock || event.op == Op::mutex_try_lock || event.op == Op::mutex_timed_lock;
  return takes && (event.before & state::owner_bits) == event.thread + 1U;
}

/// Whether the operation is one event, on one object.
bool is_supported(const Event& event) {
  if (takes_again(event)) return false;
  switch (event.op) {
    case Op::poll:
    case Op::send:
    case Op::step_begin: return false;
    case Op::condition_sleep:
    case Op::condition_timed_sleep: return event.alternative != wakes_spuriously;
    default: return true;
  }
}

/// Whether a function that is to be called once was called more often, because it threw an exception before.
bool tries_once_again(const Trace& trace) {
  std::vector<const void*> begun;
  for (const Event& event : trace.events) {
    if (event.op != Op::once || event.effect != Effect::write) continue;
    if (std::find(begun.begin(), begun.end(), event.object) != begun.end()) return true;
    begun.push_back(event.object);
  }
  return false;
}

}  // namespace

Reachability::Reachability(const Options& options, unsigned t)
    : t_(t),
      reductions_(Reductions::of(options.reduce)),
      seed_(options.seed),
      order_(options.seed),
      is_automatic_(options.strategy == "auto" && options.reduce.empty()),
      races_matter_(options.plain != "visible"),
      forgets_(options.forget != 0),
      checks_tables_(options.check_tables),
      draws_(options.compare),
      has_reductions_(!options.reduce.empty()),
      reader_(options.wakeup != "fifo") {}

bool Reachability::next(Prefix& prefix) {
  prefix.clear();
  is_cut_ = false;
  if (started_ && !advance()) return false;
  if (is_cut_) {
    prefix = frames_.back().cuts.schedule(frames_.back().sequence);
    cut_length_ = prefix.size();
    return true;
  }
  prefix = attempt_.begin(variant_);
  is_plain_ = !started_ && t_ == 0;
  started_ = true;
  order_ = SplitMix64(seed_);
  run_.begin(variant_, releases_);
  return true;
}

/// The first run, which nobody has asked for, is the plainest: if it shows a bug, there is little to explain. But
/// what t-way selects depends on where it begins, so that is a matter of the seed.
std::size_t Reachability::choose(const FreeChoice& at) {
  if (is_cut_) return give_up;
  run_.follow(at.threads->events());
  std::size_t suspicious = give_up;
  const std::size_t first = is_plain_ ? mostly_without_preemption(at) : order_.below(at.enabled.size());
  for (std::size_t i = 0; i < at.enabled.size(); ++i) {
    const std::size_t index = (first + i) % at.enabled.size();
    const Choice choice = at.enabled[index];
    if (attempt_.forbids(variant_, run_, choice) || !run_.allows(choice, at.threads->upcoming(choice.thread))) continue;
    if (!is_suspicious(choice)) return index;
    if (suspicious == give_up) suspicious = index;
  }
  return suspicious != give_up ? suspicious : attempt_.find_end(variant_, run_, at.enabled);
}

void Reachability::learn(const Trace& trace) {
  is_partial_ = trace.end() == End::repeats;
  ++runs_;
  table_size_ = {};
  releases_ = trace.releases;
  if (is_cut_) return void(draw(trace));
  const bool has_end = sequence_.end.has_value();
  if ((has_end || variant_.end) && must_run_again(trace)) {
    is_partial_ = true;
    return void(draw(trace));
  }
  follow(trace.events);
  const bool misses_end = variant_.end && !has_end;
  if ((is_partial_ || has_end || misses_end) && (misses_end || !run_.is_done())) {
    is_partial_ = true;
    draw(trace);
    return try_again(trace);
  }
  const std::span<const Event> events = trace.events.first(trace.events.size() - (has_end ? 1 : 0));
  Frame frame;
  frame.seed = seed_;
  frame.releases = releases_;
  frame.sequence = std::move(sequence_);
  reader_.add_unmatched(variant_, frame.sequence);
  // Only here sequences have to be remembered: what they have in common is no symmetry of the program.
  if (reductions_.symmetry_paper && !is_partial_) is_partial_ = !classes_.insert(class_of(frame.sequence)).second;
  for (Receiving& r : frame.sequence.receiving) prune(frame.sequence, r);
  if (has_end) follow(events);
  note_endings(frame.sequence);
  note_suspects(frame);
  make_table(frame);
  frame.number = draw(trace);
  if (draws_) tree_.set_columns(frame.number, frame.sequence, frame.heading, trace);
  push(std::move(frame), events);
}

/// Asked first of all; nothing is.
bool Reachability::is_beyond_bound(const Trace& trace) {
  sequence_ = is_cut_ || is_not_for_it(trace) ? SynSequence() : reader_.read(trace);
  return false;
}

/// What `auto` would have handed over, had its first run not ended everything, has none.
const SequenceTree* Reachability::sequences() const {
  return draws_ && (!is_automatic_ || has_constructs_) ? &tree_ : nullptr;
}

std::string Reachability::leaves_out() const {
  if (t_ == 0) return {};
  if (!faulty_table_.empty()) return "a race table does not cover all combinations: " + faulty_table_;
  return fmt::format("only sequences that combine {} changed race{} were asked for (--t)", t_, t_ == 1 ? "" : "s");
}

std::string Reachability::guarantee() const {
  if (!checks_tables_ || !faulty_table_.empty()) return {};
  return fmt::format("all of {} race tables cover every combination (--check-tables)", tables_);
}

std::string_view Reachability::why_unsuitable(const Trace& trace) const {
  const auto any = [&trace](const auto& is_it) { return std::any_of(trace.events.begin(), trace.events.end(), is_it); };
  if (is_not_for_it(trace)) return "the program uses none of Norn's constructs";
  if (const std::string_view why = why_entangled(trace); !why.empty()) return why;
  if (sequence_.has_unknown_states) return "it cannot be foreseen how operations turn out";
  if (sequence_.has_racing_readers) return "the program has readers' locks that race with writers";
  if (trace.spun || trace.knows_loops || any([](const Event& event) { return event.in_vain; }))
    return "threads wait in loops";
  if (any([](const Event& event) { return !is_supported(event); }))
    return "the program uses operations that it does not know";
  if (tries_once_again(trace)) return "a function that is called once ended with an exception";
  if (reductions_.uses_groups() && are_told_apart(trace))
    return "threads of a group end while others of it do not, and it is not the same which of them";
  if (trace.raced && races_matter_) return "what they do may depend on data races";
  if (is_cut_ && (trace.events.size() != cut_length_ || !ended_early(trace)))
    return "it cannot be foreseen how operations turn out";
  if (sequence_.ends_unclearly) return "runs end after what several threads did";
  if (sequence_.end && has_reductions_) return "runs end before all threads do";
  if (attempt_.goes_nowhere()) return "it cannot be foreseen how runs end";
  return {};
}

bool Reachability::is_not_for_it(const Trace& trace) const {
  return is_automatic_ && frames_.empty() && !trace.has_constructs && !uses_constructs(trace);
}

void Reachability::follow(std::span<const Event> events) {
  run_.begin(variant_, releases_);
  run_.follow(events);
}

std::uint32_t Reachability::draw(const Trace& trace) {
  if (!draws_) return none;
  has_constructs_ |= uses_constructs(trace);
  return tree_.add(frames_.empty() ? none : frames_.back().number, trace, is_partial_);
}

void Reachability::try_again(const Trace& trace) {
  const Variant::Look* early = run_.find_early_change(trace.events);
  if (early == nullptr) return;
  Frame& frame = frames_.back();
  for (const Change& change : changes_.changes) {
    const Receiving& r = frame.sequence.receiving[change.receiving];
    if (r.is_look && r.thread == early->thread && r.index == early->index) changes_.last.push_back(change.receiving);
  }
  frame.variants.push_back(changes_);
}

}  // namespace norn::reachability

namespace norn {

std::unique_ptr<Strategy> make_reachability(const Options& options) {
  return std::make_unique<reachability::Reachability>(options, 0);
}

std::unique_ptr<Strategy> make_t_way(const Options& options) {
  return std::make_unique<reachability::Reachability>(options, options.t);
}

}  // namespace norn
