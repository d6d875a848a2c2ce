// As naive as it can be, and without a line in common with the detector: a run is a list of events, happens-before is a
// matrix of bits closed transitively, and every two accesses are compared.

#include "reference.hpp"

#include <algorithm>
#include <bitset>

namespace random_races {
namespace {

constexpr std::size_t max_events = max_threads * (max_operations + 2);
constexpr std::size_t none = SIZE_MAX;
/// Where atomics lie beside the plain memory.
constexpr unsigned atomics_begin = memory_size;
constexpr unsigned atomic_size = 4;

struct Event {
  unsigned thread;
  Site site;
  Operation operation;
  std::size_t reads_from = none;  ///< atomics: the event that wrote the value
};

struct Range {
  unsigned begin, end;
  bool writes, atomic;
};

bool acquires(unsigned order) { return order == acquire || order == acq_rel || order == seq_cst; }
bool releases(unsigned order) { return order == release || order == acq_rel || order == seq_cst; }

std::vector<Range> ranges(const Operation& operation) {
  const auto [a, b, c] = operation.numbers;
  const auto atomic = [a = a](bool writes, bool is_atomic) {
    const unsigned begin = atomics_begin + a * atomic_size;
    return std::vector<Range>{{begin, begin + atomic_size, writes, is_atomic}};
  };
  switch (operation.verb) {
    case 'r': return {{a, a + b, false, false}};
    case 'w':
    case 'z': return {{a, a + b, true, false}};
    case 'c': return {{a, a + c, true, false}, {b, b + c, false, false}};
    case 'g': return atomic(false, false);
    case 'l': return atomic(false, true);
    case 's':
    case 'a': return atomic(true, true);
    default: return {};
  }
}

bool conflict(const Operation& one, const Operation& other) {
  for (const Range& a : ranges(one))
    for (const Range& b : ranges(other))
      if (a.begin < b.end && b.begin < a.end && (a.writes || b.writes) && !(a.atomic && b.atomic)) return true;
  return false;
}

/// The happens-before graph of one run.
class HappensBefore {
 public:
  HappensBefore(const std::vector<Event>& events, bool wrong) : events_(events), before_(events.size()), wrong_(wrong) {
    for (std::size_t i = 0; i < events.size(); ++i) add_edges_to(i);
    // Edges go forward in the run, so that one pass closes them.
    for (std::size_t i = 0; i < events.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (before_[i][j]) before_[i] |= before_[j];
  }

  [[nodiscard]] bool ordered(std::size_t earlier, std::size_t later) const { return before_[later][earlier]; }

 private:
  void add_edges_to(std::size_t i) {
    const Event& event = events_[i];
    for (std::size_t j = 0; j < i; ++j)
      if (events_[j].thread == event.thread || gives(events_[j].operation, event.operation)) before_[i][j] = true;
    if (event.reads_from == none) return;
    for (std::size_t source : heads(event.reads_from))
      for (std::size_t target : targets(i)) before_[target][source] = true;
  }

  /// A lock or a semaphore is handed on.
  static bool gives(const Operation& from, const Operation& to) {
    if (from.numbers[0] != to.numbers[0]) return false;
    return (from.verb == 'U' && to.verb == 'L') || (from.verb == 'V' && to.verb == 'P');
  }

  /// What the value that was written at `write` publishes: writes are heads of release sequences, which go on through
  /// read-modify-writes, and fences before them stand for them.
  [[nodiscard]] std::vector<std::size_t> heads(std::size_t write) const {
    std::vector<std::size_t> all;
    for (; write != none; write = events_[write].operation.verb == 'a' ? events_[write].reads_from : none) {
      if (wrong_ || releases(events_[write].operation.numbers[1])) all.push_back(write);
      for (std::size_t i = 0; i < write; ++i)
        if (is_fence(i, events_[write].thread) && releases(events_[i].operation.numbers[0])) all.push_back(i);
    }
    return all;
  }

  [[nodiscard]] std::vector<std::size_t> targets(std::size_t read) const {
    std::vector<std::size_t> all;
    if (wrong_ || acquires(events_[read].operation.numbers[1])) all.push_back(read);
    for (std::size_t i = read + 1; i < events_.size(); ++i)
      if (is_fence(i, events_[read].thread) && acquires(events_[i].operation.numbers[0])) all.push_back(i);
    return all;
  }

  [[nodiscard]] bool is_fence(std::size_t i, unsigned thread) const {
    return events_[i].thread == thread && events_[i].operation.verb == 'f';
  }

  const std::vector<Event>& events_;
  std::vector<std::bitset<max_events>> before_;
  bool wrong_;
};

/// All interleavings, by depth-first search over the states of a small machine.
class Search {
 public:
  Search(const Program& program, std::uint64_t limit, bool wrong) : program_(program), limit_(limit), wrong_(wrong) {}

  bool run() {
    explore(State(program_.threads.size()));
    return runs_ <= limit_;
  }
  SitePairs pairs;

 private:
  struct State {
    explicit State(std::size_t threads) : next(threads), seen(threads) {}
    std::vector<unsigned> next;  ///< operation
    std::vector<unsigned> seen;
    std::array<unsigned, object_count> values{};
    std::array<std::size_t, object_count> writers = {none, none};
    std::array<bool, object_count> locked{};
    std::array<unsigned, object_count> permits{};
  };

  /// Whether the operation means something to other threads, so that its place in the interleaving matters.
  static bool is_visible(char verb) { return std::string_view("lsaLUPV").find(verb) != std::string_view::npos; }

  [[nodiscard]] bool can_move(const State& state, unsigned thread) const {
    if (state.next[thread] >= program_.threads[thread].size()) return false;
    const Operation& operation = program_.threads[thread][state.next[thread]];
    if (operation.verb == 'L') return !state.locked[operation.numbers[0]];
    if (operation.verb == 'P') return state.permits[operation.numbers[0]] > 0;
    return true;
  }

  void explore(State state) {
    const std::size_t length = events_.size();
    // What nobody sees happens at once.
    for (unsigned t = 0; t < state.next.size(); ++t)
      while (can_move(state, t) && !is_visible(program_.threads[t][state.next[t]].verb)) step(state, t);
    bool stuck = true;
    for (unsigned t = 0; t < state.next.size() && runs_ <= limit_; ++t) {
      if (!can_move(state, t)) continue;
      stuck = false;
      State after = state;
      const std::size_t before = events_.size();
      step(after, t);
      explore(std::move(after));
      events_.resize(before);
    }
    if (stuck) look_at_run();
    events_.resize(length);
  }

  void step(State& state, unsigned thread) {
    const Operation& operation = program_.threads[thread][state.next[thread]];
    const unsigned object = operation.numbers[0];
    const std::size_t index = events_.size();
    events_.push_back({thread, thread * max_operations + state.next[thread], operation});
    ++state.next[thread];
    switch (operation.verb) {
      case 'l':
      case 'a':
        state.seen[thread] = state.values[object];
        events_.back().reads_from = state.writers[object];
        break;
      case 'i':
        if (state.seen[thread] != object) state.next[thread] += operation.numbers[1];
        break;
      default: break;
    }
    if (operation.verb == 'a') ++state.values[object];
    if (operation.verb == 's') state.values[object] = operation.numbers[2];
    if (operation.verb == 'a' || operation.verb == 's') state.writers[object] = index;
    if (operation.verb == 'L') state.locked[object] = true;
    if (operation.verb == 'U') state.locked[object] = false;
    if (operation.verb == 'P') --state.permits[object];
    if (operation.verb == 'V') ++state.permits[object];
  }

  void look_at_run() {
    ++runs_;
    const HappensBefore order(events_, wrong_);
    for (std::size_t j = 0; j < events_.size(); ++j)
      for (std::size_t i = 0; i < j; ++i)
        if (events_[i].thread != events_[j].thread && conflict(events_[i].operation, events_[j].operation) &&
            !order.ordered(i, j))
          pairs.insert(std::minmax(events_[i].site, events_[j].site));
  }

  const Program& program_;
  std::uint64_t limit_;
  bool wrong_;
  std::uint64_t runs_ = 0;
  std::vector<Event> events_;
};

}  // namespace

std::optional<SitePairs> racing_sites(const Program& program, std::uint64_t limit, bool wrong) {
  Search search(program, limit, wrong);
  if (!search.run()) return std::nullopt;
  return search.pairs;
}

}  // namespace random_races
