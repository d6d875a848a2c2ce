#include "explore/reachability/syn_sequence.hpp"

#include <algorithm>

#include "explore/reachability/endings.hpp"
#include "explore/reachability/variant.hpp"
#include "trace/dependency.hpp"

namespace norn::reachability {
namespace {

void join(std::vector<Clock>& into, const Clock* from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

ThreadId width_of(const Trace& trace) {
  int width = 1;
  for (const Link& link : trace.links)
    if (link.kind == LinkKind::created) width = std::max(width, link.other + 1);
  return static_cast<ThreadId>(width);
}

bool is_timed_sleep(Op op) { return op == Op::condition_timed_sleep || op == Op::address_timed_sleep; }

bool are_one_step(const Receiving& wait, const Receiving& unlock) {
  return wait.partner.op == Op::condition_wait && unlock.partner.op == Op::mutex_unlock &&
         wait.thread == unlock.thread && wait.index + 1 == unlock.index;
}

bool wakes_one(Op op, std::uint64_t argument) {
  return op == Op::condition_signal || (op == Op::address_wake && argument == 1);
}

/// Whoever sleeps waits for another thread, not for its turn: what it calls next is not known yet.
bool is_call(Op op) {
  switch (op) {
    case Op::park:
    case Op::thread_join:
    case Op::thread_create:
    case Op::condition_sleep:
    case Op::barrier_sleep:
    case Op::address_sleep:
    case Op::yield: return false;
    default: return true;
  }
}

SynSequence SynSequenceReader::read(const Trace& all) {
  Trace trace = all;
  read_events(all, ended_early(all));
  const bool is_clear = !ended_early(all) || has_clear_ending(all);
  const auto joins = [](const Pending& pending) { return pending.op == Op::thread_join; };
  const bool others_are_left = !std::all_of(all.pending.begin(), all.pending.end(), joins);
  if (ended_early(all) && has_ending(all)) {
    const Event& end = all.events.back();
    const Clock* needed = sequence_.row(sequence_.needed[end.thread].back());
    std::vector<Clock> past(needed, needed + sequence_.width);
    --past[end.thread];
    trace = without_end(all);
    read_events(trace, true);
    sequence_.ends_unclearly = !is_clear;
    note_end(end, std::move(past));
  }
  // Somebody else may go on if only one of several events happens that end the run together.
  sequence_.ends_unclearly |= !is_clear && others_are_left;
  for (const Pending& pending : trace.pending) {
    if (!is_call(pending.op)) continue;
    note_sleep(pending.thread, pending.op, false);
    note_call(pending.thread);
    if (can_look(pending.op)) note_pending_look(pending);
  }
  for (const Wait& wait : waits_)
    if (is_timed_sleep(wait.sleep))
      sequence_.sleeps.push_back({wait.thread, wait.index, wait.structure, wait.is_woken});
  note_states();
  find_races(trace);
  return std::move(sequence_);
}

void SynSequenceReader::read_events(const Trace& trace, bool with_needs) {
  sequence_ = {};
  sequence_.width = width_of(trace);
  sequence_.calls.resize(sequence_.width);
  sequence_.groups.assign(sequence_.width, nullptr);
  if (with_needs) sequence_.needed.resize(sequence_.width);
  threads_.assign(sequence_.width, std::vector<Clock>(sequence_.width, 0));
  objects_.clear();
  events_.clear();
  opened_.clear();
  received_by_.clear();
  bounded_ports_.clear();
  readers_.clear();
  waits_.clear();
  begun_wait_.reset();
  looks_.clear();
  releases_ = trace.releases;
  has_sent_.assign(sequence_.width, false);
  begins_late_.assign(sequence_.width, false);
  auto links = trace.links;
  for (std::uint32_t i = 0; i <= trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) follow(links.front());
    if (i == trace.events.size()) break;
    const bool ends_step = begun_wait_.has_value();
    add(trace.events[i]);
    if (with_needs) note_needs(trace.events[i], ends_step);
  }
}

Row SynSequenceReader::keep(const std::vector<Clock>& clock) {
  const auto row = static_cast<Row>(sequence_.clocks.size() / sequence_.width);
  sequence_.clocks.insert(sequence_.clocks.end(), clock.begin(), clock.end());
  return row;
}

SynSequenceReader::Object& SynSequenceReader::object(const void* address) {
  const auto is_it = [address](const Object& object) { return object.address == address; };
  const auto found = std::find_if(objects_.begin(), objects_.end(), is_it);
  if (found != objects_.end()) return *found;
  return objects_.emplace_back(Object{address, std::vector<Clock>(sequence_.width, 0)});
}

void SynSequenceReader::note_call(ThreadId thread) {
  if (sequence_.calls[thread].empty()) begins_late_[thread] = has_sent_[thread];
  sequence_.calls[thread].push_back(keep(threads_[thread]));
}

void SynSequenceReader::follow(const Link& link) {
  std::vector<Clock>& clock = threads_[link.thread];
  switch (link.kind) {
    case LinkKind::created: threads_[link.other] = clock; return;
    case LinkKind::joined:
    case LinkKind::met: return join(clock, threads_[link.other].data());
    case LinkKind::woke: note_sleep(link.other, link.op, true); return join(threads_[link.other], clock.data());
    case LinkKind::released: return release(link.thread, object(link.object));
    case LinkKind::unordered: sequence_.receiving.back().is_unordered = true; return;
    case LinkKind::grouped: sequence_.groups[link.other != no_thread ? link.other : link.thread] = link.object; return;
    case LinkKind::deposited: return deposited(link);
    case LinkKind::withdrew: return withdrew(link);
    case LinkKind::opened: return opened_.back().push_back(link.object);
    case LinkKind::sent: break;
  }
  const auto is_earlier = [&link](const Sending& message) {
    return message.sender == link.thread && message.port == link.object;
  };
  const auto order = std::count_if(sequence_.messages.begin(), sequence_.messages.end(), is_earlier);
  const bool is_first = clock[link.thread] == 0 && !has_sent_[link.thread];
  has_sent_[link.thread] = true;
  sequence_.messages.push_back({link.thread, 0, Op::send, 0, is_first, clock[link.thread], keep(clock),
                                static_cast<std::uint32_t>(order), link.object});
  received_by_.push_back(none);
}

/// If the port was full before, its control structure has what took a message since.
void SynSequenceReader::deposited(const Link& link) {
  BoundedPort& port = bounded_port(link.object);
  const std::uint64_t capacity = events_.back().argument;
  if (port.deposits.size() >= capacity) {
    const Row made_room = port.withdrawals[port.deposits.size() - capacity];
    for (unsigned i = 0; i < sequence_.width; ++i) {
      Clock& known = sequence_.clocks[std::size_t{sequence_.receiving.back().structure} * sequence_.width + i];
      known = std::max(known, sequence_.row(made_room)[i]);
    }
    join(threads_[link.thread], sequence_.row(made_room));
    join(object(events_.back().object).clock, sequence_.row(made_room));
  }
  port.deposits.push_back(keep(threads_[link.thread]));
  if (!sequence_.needed.empty()) sequence_.needed[link.thread].back() = port.deposits.back();
}

void SynSequenceReader::withdrew(const Link& link) {
  BoundedPort& port = bounded_port(link.object);
  join(threads_[link.thread], sequence_.row(port.deposits[port.withdrawals.size()]));
  port.withdrawals.push_back(keep(threads_[link.thread]));
  if (!sequence_.needed.empty()) sequence_.needed[link.thread].back() = port.withdrawals.back();
}

SynSequenceReader::BoundedPort& SynSequenceReader::bounded_port(const void* address) {
  for (BoundedPort& port : bounded_ports_)
    if (port.address == address) return port;
  return bounded_ports_.emplace_back(BoundedPort{address, {}, {}});
}

void SynSequenceReader::add(const Event& event) {
  note_call(event.thread);
  if (event.op == Op::barrier_meet || event.op == Op::withdraw || event.op == Op::yield) {
    // In which order threads come to a barrier makes no difference, and which message comes next is clear here.
    ++threads_[event.thread][event.thread];
  } else if (shares(event.op, event.effect, event.before)) {
    share(event);
  } else {
    events_.push_back(event);
    opened_.emplace_back();
    if (event.effect == Effect::read) {
      look(event);
    } else {
      event.op == Op::receive ? receive(event) : complete(event);
    }
  }
}

/// On the thread that receives: its control structure is what the thread knows (the scheme for message passing).
void SynSequenceReader::receive(const Event& event) {
  std::vector<Clock>& clock = threads_[event.thread];
  Receiving& r = sequence_.receiving.emplace_back();
  r.object = event.object;
  r.thread = event.thread;
  r.is_message = true;
  r.index = clock[event.thread];
  r.order = r.index;
  r.structure = sequence_.calls[event.thread].back();
  for (std::size_t i = 0; i < sequence_.messages.size(); ++i) {
    const Sending& message = sequence_.messages[i];
    if (received_by_[i] != none || message.port != event.object || message.sender != sender_of(event.alternative))
      continue;
    received_by_[i] = static_cast<std::uint32_t>(sequence_.receiving.size() - 1);
    r.partner = message;
    r.partner.alternative = event.alternative;
    join(clock, sequence_.row(message.structure));
    break;
  }
  ++clock[event.thread];
}

/// On an object: its control structure is what the object knows (the scheme for semaphores and monitors).
void SynSequenceReader::complete(const Event& event) {
  std::vector<Clock>& clock = threads_[event.thread];
  Object& on = object(event.object);
  if (!on.read.empty()) join(on.clock, on.read.data());
  Receiving& r = sequence_.receiving.emplace_back();
  r.object = event.object;
  r.thread = event.thread;
  r.index = clock[event.thread];
  r.order = static_cast<std::uint32_t>(on.receiving.size());
  const bool is_first = r.index == 0 && !begins_late_[event.thread];
  r.partner = {event.thread,
               event.alternative,
               event.op,
               event.argument,
               is_first,
               r.index,
               sequence_.calls[event.thread].back()};
  r.structure = keep(on.clock);
  on.receiving.push_back(static_cast<std::uint32_t>(sequence_.receiving.size() - 1));
  if (can_look(event.op)) {
    // The same event: it could have found the object in another state, which it would not have changed.
    Receiving& instead = sequence_.receiving.emplace_back();
    instead.object = event.object;
    instead.thread = event.thread;
    instead.is_look = instead.changes_instead = true;
    instead.index = clock[event.thread];
    instead.structure = sequence_.calls[event.thread].back();
    events_.push_back(event);
    opened_.emplace_back();
  }
  join(clock, on.clock.data());
  ++clock[event.thread];
  on.clock = clock;
  if (begun_wait_) finish_step(event);
  follow_waits(event, on.receiving.size() - 1);
}

/// Whoever knows that a thread waits knows that it has given back the mutex.
void SynSequenceReader::finish_step(const Event& unlock) {
  Object& condition = object(begun_wait_->object);
  condition.clock = threads_[unlock.thread];
  begin_wait(*begun_wait_, condition.receiving.size() - 1);
  begun_wait_.reset();
}

void SynSequenceReader::begin_wait(const Event& event, std::size_t position) {
  const std::vector<Clock>& clock = threads_[event.thread];
  waits_.push_back({event.object, event.thread, clock[event.thread], keep(clock), position, none});
}

/// Who waits at a condition or an address, and until which event there.
void SynSequenceReader::follow_waits(const Event& event, std::size_t position) {
  if (event.op == Op::condition_wait && releases_.of_locks) return void(begun_wait_ = event);
  if (event.op == Op::condition_wait || event.op == Op::address_wait) return begin_wait(event, position);
  if (is_timed_sleep(event.op)) note_sleep(event.thread, event.op, false);
  const bool wakes_all =
      event.op == Op::condition_broadcast || (event.op == Op::address_wake && !wakes_one(event.op, event.argument));
  for (Wait& wait : waits_) {
    if (wait.object != event.object || wait.end != none) continue;
    const bool is_over = wakes_all || (wakes_one(event.op, event.argument) && event.alternative == wait.thread) ||
                         (is_timed_sleep(event.op) && event.thread == wait.thread);
    if (is_over) wait.end = position;
  }
}

void SynSequenceReader::note_sleep(ThreadId thread, Op op, bool is_woken) {
  if (!is_timed_sleep(op)) return;
  const auto last =
      std::find_if(waits_.rbegin(), waits_.rend(), [&](const Wait& wait) { return wait.thread == thread; });
  if (last == waits_.rend()) return;
  last->sleep = op;
  last->is_woken = is_woken;
}

/// On the thread that looks. What the object knows becomes known to the thread, but not the other way round.
void SynSequenceReader::look(const Event& event) {
  std::vector<Clock>& clock = threads_[event.thread];
  const Object& on = object(event.object);
  looks_.push_back(static_cast<std::uint32_t>(sequence_.receiving.size()));
  Receiving& r = sequence_.receiving.emplace_back();
  r.object = event.object;
  r.thread = event.thread;
  r.is_look = true;
  r.index = clock[event.thread];
  r.structure = sequence_.calls[event.thread].back();
  r.partner.op = event.op;
  r.partner.order = static_cast<std::uint32_t>(on.receiving.size());
  join(clock, on.clock.data());
  ++clock[event.thread];
}

void SynSequenceReader::share(const Event& event) {
  std::vector<Clock>& clock = threads_[event.thread];
  Object& on = object(event.object);
  on.readers.push_back(event.thread);
  readers_.push_back({event, clock[event.thread], sequence_.calls[event.thread].back(), on.receiving.size()});
  join(clock, on.clock.data());
  ++clock[event.thread];
}

void SynSequenceReader::release(ThreadId thread, Object& lock) {
  const auto reader = std::find(lock.readers.begin(), lock.readers.end(), thread);
  if (reader == lock.readers.end()) return join(lock.clock, threads_[thread].data());
  lock.readers.erase(reader);
  lock.read.resize(sequence_.width, 0);
  join(lock.read, threads_[thread].data());
}

/// What an object knows after a change is the control structure of the next one.
void SynSequenceReader::note_states() {
  for (const Object& object : objects_) {
    States& states = sequence_.objects.emplace_back(States{object.address, {}, object.receiving});
    for (const std::uint32_t i : object.receiving) states.after.push_back(sequence_.receiving[i].structure);
    states.after.push_back(keep(object.clock));
  }
}

const States& SynSequence::states_of(const void* object) const {
  return *std::find_if(objects.begin(), objects.end(), [object](const States& one) { return one.object == object; });
}

std::uint32_t SynSequence::changes_of(const void* object) const {
  const auto known =
      std::find_if(objects.begin(), objects.end(), [object](const States& one) { return one.object == object; });
  return known == objects.end() ? 0 : static_cast<std::uint32_t>(known->receiving.size());
}

void SynSequenceReader::add_unmatched(const Variant& variant, SynSequence& to) {
  sequence_ = std::move(to);
  for (const Variant::OnObject& on : variant.objects) {
    const Object& object = this->object(on.object);
    if (object.receiving.size() < on.partners.size())
      sequence_.unmatched.push_back({on.object, no_thread, keep(object.clock)});
  }
  for (ThreadId thread = 0; thread < variant.threads.size() && thread < sequence_.width; ++thread) {
    const auto& received = variant.threads[thread].received;
    if (!received.empty() && received.back().first == threads_[thread][thread])
      sequence_.unmatched.push_back({nullptr, thread, sequence_.calls[thread].back()});
  }
  to = std::move(sequence_);
}

}  // namespace norn::reachability
