#include "explore/reachability/syn_sequence.hpp"

#include <algorithm>

#include "explore/reachability/variant.hpp"
#include "trace/dependency.hpp"

namespace norn::reachability {
namespace {

void join(std::vector<Clock>& into, const Clock* from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
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

ThreadId width_of(const Trace& trace) {
  int width = 1;
  for (const Link& link : trace.links)
    if (link.kind == LinkKind::created) width = std::max(width, link.other + 1);
  return static_cast<ThreadId>(width);
}

}  // namespace

SynSequence SynSequenceReader::read(const Trace& trace) {
  sequence_ = {};
  sequence_.width = width_of(trace);
  sequence_.calls.resize(sequence_.width);
  sequence_.groups.assign(sequence_.width, nullptr);
  threads_.assign(sequence_.width, std::vector<Clock>(sequence_.width, 0));
  objects_.clear();
  events_.clear();
  opened_.clear();
  received_by_.clear();
  bounded_ports_.clear();
  looks_.clear();
  has_sent_.assign(sequence_.width, false);
  begins_late_.assign(sequence_.width, false);
  auto links = trace.links;
  for (std::uint32_t i = 0; i <= trace.events.size(); ++i) {
    for (; !links.empty() && links.front().step == i; links = links.subspan(1)) follow(links.front());
    if (i < trace.events.size()) add(trace.events[i]);
  }
  for (const Pending& pending : trace.pending)
    if (is_call(pending.op)) note_call(pending.thread);
  find_races(trace);
  find_racing_reads(trace);
  return std::move(sequence_);
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
  return objects_.emplace_back(Object{address, std::vector<Clock>(sequence_.width, 0), {}});
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
    case LinkKind::woke: return join(threads_[link.other], clock.data());
    case LinkKind::released: return join(object(link.object).clock, clock.data());
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
}

void SynSequenceReader::withdrew(const Link& link) {
  BoundedPort& port = bounded_port(link.object);
  join(threads_[link.thread], sequence_.row(port.deposits[port.withdrawals.size()]));
  port.withdrawals.push_back(keep(threads_[link.thread]));
}

SynSequenceReader::BoundedPort& SynSequenceReader::bounded_port(const void* address) {
  for (BoundedPort& port : bounded_ports_)
    if (port.address == address) return port;
  return bounded_ports_.emplace_back(BoundedPort{address, {}, {}});
}

void SynSequenceReader::add(const Event& event) {
  note_call(event.thread);
  if (event.op == Op::barrier_meet || event.op == Op::withdraw) {
    // In which order threads come to a barrier makes no difference, and which message comes next is clear here.
    ++threads_[event.thread][event.thread];
  } else if (event.effect == Effect::read) {
    look(event);
  } else {
    events_.push_back(event);
    opened_.emplace_back();
    event.op == Op::receive ? receive(event) : complete(event);
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
  join(clock, on.clock.data());
  ++clock[event.thread];
  on.clock = clock;
}

/// Whoever only looks at an object is no event on it, as long as it makes no difference when.
void SynSequenceReader::look(const Event& event) {
  std::vector<Clock>& clock = threads_[event.thread];
  const Object& on = object(event.object);
  looks_.push_back({event, clock[event.thread], sequence_.calls[event.thread].back(), on.receiving.size()});
  join(clock, on.clock.data());
  ++clock[event.thread];
}

/// It makes a difference if somebody changes the object neither before nor after. An operation that can also change it
/// must come after all that do: it could not be told in advance what it is.
void SynSequenceReader::find_racing_reads(const Trace& trace) {
  for (const Look& look : looks_) {
    const bool only_looks =
        look.event.op == Op::atomic_load || look.event.op == Op::semaphore_value || look.event.op == Op::plain_read;
    const auto knows_look = [&](Row past) { return sequence_.row(past)[look.event.thread] > look.index; };
    const std::vector<std::uint32_t>& all = object(look.event.object).receiving;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Receiving& r = sequence_.receiving[all[k]];
      const bool is_ordered =
          k < look.order ? sequence_.contains(look.past, r) : only_looks && knows_look(r.partner.structure);
      sequence_.has_racing_reads |= !is_ordered;
    }
    for (const Pending& pending : trace.pending)
      if (pending.object == look.event.object && is_call(pending.op) && pending.thread != look.event.thread)
        sequence_.has_racing_reads |= !knows_look(sequence_.calls[pending.thread].back());
  }
}

void SynSequenceReader::find_races(const Trace& trace) {
  for (const Object& object : objects_) find_races_on(object, trace);
  find_races_of_messages();
}

/// Proposition 2. Of each other thread only its next call can be completed instead: whatever it calls later happens
/// after that, and so after the event in question.
void SynSequenceReader::find_races_on(const Object& object, const Trace& trace) {
  for (std::size_t k = 0; k < object.receiving.size(); ++k) {
    Receiving& r = sequence_.receiving[object.receiving[k]];
    const std::uint64_t state = events_[object.receiving[k]].before;
    const auto consider = [&](ThreadId thread, Op op, std::uint64_t argument, std::uint32_t index) {
      const Row structure = sequence_.calls[thread][index];
      if (sequence_.contains(structure, r)) return;
      const Foreseen foreseen = foresee(op, argument, thread, state);
      if (foreseen == Foreseen::blocked) return;
      if (foreseen != Foreseen::writes) sequence_.has_racing_reads = true;
      const bool is_first = index == 0 && !begins_late_[thread];
      r.race_set.push_back({thread, alternative_of(op, foreseen), op, argument, is_first, index, structure});
    };
    std::vector<bool> seen(sequence_.width, false);
    seen[r.thread] = true;
    for (std::size_t later = k + 1; later < object.receiving.size(); ++later) {
      const Event& event = events_[object.receiving[later]];
      if (seen[event.thread]) continue;
      seen[event.thread] = true;
      consider(event.thread, event.op, event.argument, sequence_.receiving[object.receiving[later]].index);
    }
    for (const Pending& pending : trace.pending)
      if (pending.object == object.address && !seen[pending.thread] && is_call(pending.op) && pending.op != Op::receive)
        consider(pending.thread, pending.op, pending.argument,
                 static_cast<std::uint32_t>(sequence_.calls[pending.thread].size() - 1));
  }
}

/// Of each thread only the first message to a port that has not been received before: they come in order.
void SynSequenceReader::find_races_of_messages() {
  for (std::size_t i = 0; i < sequence_.receiving.size(); ++i) {
    Receiving& r = sequence_.receiving[i];
    if (!r.is_message) continue;
    for (std::size_t m = 0; m < sequence_.messages.size(); ++m) {
      const Sending& message = sequence_.messages[m];
      const auto open = std::find(opened_[i].begin(), opened_[i].end(), message.port);
      if (open == opened_[i].end() || sequence_.contains(message.structure, r)) continue;
      // It was received before, or is what is received here.
      if (received_by_[m] != none && received_by_[m] <= i) continue;
      const auto overtakes = [&](std::size_t other) {
        return sequence_.messages[other].port == message.port && sequence_.messages[other].sender == message.sender &&
               (received_by_[other] == none || received_by_[other] >= i);
      };
      bool is_next = true;
      for (std::size_t other = 0; other < m && is_next; ++other) is_next = !overtakes(other);
      if (!is_next) continue;
      Sending s = message;
      s.alternative = from_sender(s.sender, static_cast<unsigned>(open - opened_[i].begin()));
      r.race_set.push_back(s);
    }
  }
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
