// Strategy `reachability` on random programs: every behaviour, each exactly once.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "explore/reachability/sequence_tree.hpp"
#include "random_abstract.hpp"

namespace norn::test {
namespace {

using Behaviours = std::map<std::string, unsigned>;

std::string behaviour_of(const Trace& trace) {
  return fmt::format("{} {:x}", trace.end() == End::finished ? "ok" : kind(trace.end()),
                     CanonicalForm().fingerprint(trace.events));
}

/// All interleavings, by plain recursion; nothing if there are too many.
Behaviours all_behaviours(const AbstractProgram& program, std::size_t most_runs) {
  const bool releases_visible = releases_are_visible(program);
  Behaviours behaviours;
  std::size_t runs = 0;
  Prefix prefix;
  const auto explore = [&](const auto& self) -> bool {
    AbstractMachine machine(program, releases_visible);
    for (const Choice& choice : prefix) machine.move(choice);
    if (const std::optional<End> end = machine.end()) {
      ++behaviours[behaviour_of(machine.trace(*end))];
      return ++runs < most_runs;
    }
    for (const Choice& choice : machine.enabled()) {
      prefix.push_back(choice);
      const bool goes_on = self(self);
      prefix.pop_back();
      if (!goes_on) return false;
    }
    return true;
  };
  return explore(explore) ? behaviours : Behaviours();
}

class View final : public ThreadsView {
 public:
  explicit View(const AbstractMachine& machine) : machine_(machine) {}
  [[nodiscard]] Upcoming upcoming(ThreadId thread) const override {
    const Pending next = machine_.upcoming(thread);
    return {next.op, next.object, nullptr, next.argument, nullptr, 0, machine_.mutex_of(thread)};
  }
  [[nodiscard]] std::span<const Event> events() const override { return machine_.events(); }

 private:
  const AbstractMachine& machine_;
};

struct Explored {
  Behaviours behaviours;
  unsigned runs = 0;
  unsigned partial_runs = 0;
  std::string unsuitable;
  reachability::SequenceTree tree = {};
  std::vector<std::vector<Event>> all_events = {};  ///< if there is a tree: of every run
};

/// `shift`: after so many runs somebody else goes on with what is left; 0: never.
Explored explore(const AbstractProgram& program, const Options& options, unsigned shift = 0) {
  const bool releases_visible = releases_are_visible(program);
  const auto make = options.strategy == "t-way" ? make_t_way : make_reachability;
  std::unique_ptr<Strategy> strategy = make(options);
  Explored explored;
  Prefix prefix;
  // Without colours it would go round in circles.
  constexpr unsigned most_runs = 10'000;
  while (explored.unsuitable.empty() && explored.runs < most_runs && strategy->next(prefix)) {
    AbstractMachine machine(program, releases_visible);
    const View view(machine);
    End end = End::repeats;
    // A step can be two events.
    while (machine.events().size() < prefix.size()) machine.move(prefix[machine.events().size()]);
    for (;;) {
      if (const std::optional<End> ended = machine.end()) {
        end = *ended;
        break;
      }
      const std::vector<Choice> enabled = machine.enabled();
      const std::size_t index =
          strategy->choose({static_cast<std::uint32_t>(machine.events().size()), no_thread, enabled, &view});
      if (index == give_up) break;
      machine.move(enabled[index], enabled);
    }
    const Trace trace = machine.trace(end);
    if (strategy->is_beyond_bound(trace)) continue;
    explored.unsuitable = strategy->why_unsuitable(trace);
    strategy->learn(trace);
    if (options.compare) explored.all_events.emplace_back(trace.events.begin(), trace.events.end());
    if (strategy->repeats()) {
      ++explored.partial_runs;
    } else {
      ++explored.runs;
      ++explored.behaviours[behaviour_of(trace)];
    }
    if (shift == 0 || (explored.runs + explored.partial_runs) % shift != 0) continue;
    const std::vector<Piece> left = strategy->pieces();
    strategy = make(options);
    strategy->take_over(left);
  }
  if (options.compare) explored.tree = *strategy->sequences();
  return explored;
}

std::string difference(const Behaviours& all, const Behaviours& once) {
  unsigned missing = 0;
  unsigned again = 0;
  unsigned unknown = 0;
  for (const auto& [behaviour, count] : all) missing += once.contains(behaviour) ? 0 : 1;
  for (const auto& [behaviour, count] : once) {
    again += count - 1;
    unknown += all.contains(behaviour) ? 0 : 1;
  }
  if (missing + again + unknown == 0) return {};
  return fmt::format("of {} behaviours {} are missing, {} came again, {} are unknown", all.size(), missing, again,
                     unknown);
}

struct Summary {
  unsigned compared = 0;
  unsigned wrong = 0;
  std::uint64_t behaviours = 0;
  std::uint64_t partial_runs = 0;
};

/// Without the operation, or without the whole section that begins with it.
AbstractThread without(AbstractThread thread, std::size_t at) {
  const Op op = thread[at].op;
  auto end = thread.begin() + static_cast<std::ptrdiff_t>(at) + 1;
  if (op == Op::mutex_lock || op == Op::mutex_try_lock || op == Op::mutex_timed_lock)
    while ((end++)->op != Op::mutex_unlock) {
    }
  if (op != Op::mutex_unlock) thread.erase(thread.begin() + static_cast<std::ptrdiff_t>(at), end);
  return thread;
}

/// A program that is explored wrongly, without whatever is not needed for that.
AbstractProgram shrunk(AbstractProgram program, const Options& options) {
  const auto shrink_once = [&] {
    for (std::size_t t = 0; t < program.size(); ++t) {
      for (std::size_t i = 0; i < program[t].size(); ++i) {
        AbstractProgram smaller = program;
        smaller[t] = without(smaller[t], i);
        const Behaviours all = all_behaviours(smaller, 20'000);
        if (smaller[t].size() == program[t].size() || difference(all, explore(smaller, options).behaviours).empty())
          continue;
        program = smaller;
        return true;
      }
    }
    return false;
  };
  while (shrink_once()) {
  }
  return program;
}

Options reachability_options() {
  Options options;
  options.strategy = "reachability";
  options.keep_going = true;
  return options;
}

Summary compare(const Taste& taste, unsigned count, std::uint64_t first_seed, Options options, bool report = true) {
  Summary summary;
  options.strategy = "reachability";
  options.keep_going = true;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const AbstractProgram program = ProgramWriter(seed, taste).write();
    const Behaviours all = all_behaviours(program, 3'000);
    if (all.empty()) continue;
    options.seed = seed;
    const Explored once = explore(program, options);
    if (!once.unsuitable.empty()) {
      EXPECT_EQ(once.unsuitable, "it cannot be foreseen how operations turn out") << text_of(program);
      continue;
    }
    ++summary.compared;
    summary.behaviours += all.size();
    summary.partial_runs += once.partial_runs;
    const std::string wrong = difference(all, once.behaviours);
    if (wrong.empty()) continue;
    ++summary.wrong;
    if (!report) continue;
    const AbstractProgram smallest = shrunk(program, options);
    ADD_FAILURE() << "seed " << seed << ": " << wrong << "\n"
                  << text_of(smallest) << "shrunk from\n"
                  << text_of(program);
    if (summary.wrong > 2) break;
  }
  EXPECT_GT(summary.compared, count * 4 / 5);
  // How a run ends has to be found out.
  EXPECT_LT(summary.partial_runs, summary.behaviours / (taste.failures ? 4 : 10)) << "partial runs are rare";
  return summary;
}

TEST(Reachability, IsExactForLocksAndSemaphores) {
  EXPECT_EQ(compare({.locks = true, .semaphores = true}, 1000, 1, {}).wrong, 0U);
}

TEST(Reachability, IsExactForConditions) {
  EXPECT_EQ(compare({.locks = true, .conditions = true}, 1000, 1, {}).wrong, 0U);
}

TEST(Reachability, IsExactForAttempts) {
  EXPECT_EQ(compare({.locks = true, .tries = true, .semaphores = true}, 1000, 1, {}).wrong, 0U);
}

/// Where giving back a lock is an event, waiting for a condition is two, in one step.
TEST(Reachability, IsExactForConditionsBesideAttempts) {
  EXPECT_EQ(compare({.locks = true, .tries = true, .conditions = true}, 500, 1, {}).wrong, 0U);
}

/// Who has signalled somebody that waits cannot find the mutex taken any more, so no run is for nothing.
TEST(Reachability, KnowsThatWhoWaitsHasGivenBackTheMutex) {
  AbstractOperation unlock_if_got{Op::mutex_unlock, first_mutex};
  unlock_if_got.only_if_got_it = true;
  AbstractOperation wait{Op::condition_sleep, first_condition};
  wait.also = first_mutex;
  const AbstractProgram program = {
      {{Op::condition_signal, first_condition}, {Op::mutex_try_lock, first_mutex}, unlock_if_got},
      {{Op::mutex_lock, first_mutex}, wait, {Op::mutex_unlock, first_mutex}}};
  const Explored explored = explore(program, reachability_options());
  EXPECT_EQ(difference(all_behaviours(program, 1000), explored.behaviours), "");
  EXPECT_EQ(explored.partial_runs, 0U);
}

TEST(Reachability, IsExactForAtomics) { EXPECT_EQ(compare({.atomics = true}, 1000, 1, {}).wrong, 0U); }

TEST(Reachability, IsExactForWaitingAtAddresses) {
  EXPECT_EQ(compare({.atomics = true, .addresses = true}, 1000, 1, {}).wrong, 0U);
}

TEST(Reachability, IsExactForAllOfThat) {
  EXPECT_EQ(compare({.locks = true, .tries = true, .semaphores = true, .atomics = true}, 1000, 1, {}).wrong, 0U);
  EXPECT_EQ(compare({.locks = true, .semaphores = true, .conditions = true, .atomics = true}, 1000, 1, {}).wrong, 0U);
}

/// How far the others came is part of what a run shows that fails.
TEST(Reachability, IsExactForRunsThatEndEarly) {
  EXPECT_EQ(compare({.locks = true, .semaphores = true, .failures = true}, 500, 1, {}).wrong, 0U);
  EXPECT_EQ(compare({.locks = true, .semaphores = true, .conditions = true, .failures = true}, 500, 500, {}).wrong, 0U);
  // Whether a step is the end was once confused with whether it had been one before.
  EXPECT_EQ(compare({.semaphores = true, .failures = true}, 1, 8101168, {}).wrong, 0U);
}

TEST(Reachability, IsExactForLooksThatEndRuns) {
  EXPECT_EQ(compare({.atomics = true, .failures = true}, 500, 1, {}).wrong, 0U);
  EXPECT_EQ(
      compare({.locks = true, .tries = true, .semaphores = true, .atomics = true, .failures = true}, 300, 1, {}).wrong,
      0U);
  EXPECT_EQ(compare({.locks = true, .tries = true, .conditions = true, .failures = true}, 150, 43000100, {}).wrong, 0U);
}

/// What has been found out about ends need not be known to those who go on.
TEST(Reachability, IsExactInShiftsWhereRunsEndEarly) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Taste taste{.locks = true, .semaphores = true, .atomics = true, .failures = true};
    const AbstractProgram program = ProgramWriter(seed, taste).write();
    const Behaviours all = all_behaviours(program, 3'000);
    if (all.empty()) continue;
    EXPECT_EQ(difference(all, explore(program, reachability_options(), 3).behaviours), "") << text_of(program);
  }
}

/// The cuts of a run: of two independent threads with two events each, any number may have happened before a third one
/// ends everything.
TEST(Reachability, CountsHowFarOthersCame) {
  const AbstractThread twice = {{Op::semaphore_post, first_semaphore}, {Op::semaphore_post, first_semaphore}};
  const AbstractThread others = {{Op::semaphore_post, first_semaphore + 1}, {Op::semaphore_post, first_semaphore + 1}};
  const Explored explored = explore({{{Op::process_exit, whole_process}}, twice, others}, reachability_options());
  EXPECT_EQ(explored.runs, 9U);
  EXPECT_EQ(explored.behaviours.size(), 9U);
  EXPECT_LE(explored.partial_runs, 1U);
}

/// One writer and n readers: 2^n, and each reader is free.
TEST(Reachability, LetsReadersCommute) {
  AbstractProgram program = {{{Op::atomic_store, first_atomic, 1}}};
  for (unsigned readers = 1; readers <= 6; ++readers) {
    program.push_back({{Op::atomic_load, first_atomic}});
    const Explored explored = explore(program, reachability_options());
    EXPECT_EQ(explored.runs, 1U << readers);
    EXPECT_EQ(explored.partial_runs, 0U);
    EXPECT_EQ(explored.behaviours.size(), 1U << readers);
  }
}

/// Which sequences are among those that t-way selects depends on the free parts of runs, and these on nothing but the
/// seed and what was changed.
TEST(Reachability, IsTheSameWhoeverGoesOn) {
  const AbstractThread thread = {{Op::mutex_lock, first_mutex},
                                 {Op::mutex_unlock, first_mutex},
                                 {Op::mutex_lock, first_mutex + 1},
                                 {Op::mutex_unlock, first_mutex + 1}};
  Options options;
  options.strategy = "t-way";
  options.t = 1;
  const AbstractProgram program(4, thread);
  const Explored at_once = explore(program, options);
  EXPECT_GT(at_once.runs, 10U);
  EXPECT_LT(at_once.runs, all_behaviours(program, 100'000).size());
  for (unsigned shift = 1; shift <= 8; ++shift)
    EXPECT_EQ(explore(program, options, shift).behaviours, at_once.behaviours) << "in shifts of " << shift << " runs";
}

using Part = reachability::SequenceTree::Part;

/// Which thread's call was completed by the n-th change of an object; no_thread if there is none.
ThreadId completed(const std::vector<Event>& events, const Part& receiving) {
  std::uint32_t number = 0;
  for (const Event& event : events)
    if (event.object == receiving.object && event.effect == Effect::write && number++ == receiving.number)
      return event.thread;
  return no_thread;
}

/// What a row changes is what the run of the sequence did there, as far as it came.
void expect_changes_happened(const Explored& explored, std::uint32_t number) {
  const auto& sequence = explored.tree.sequences()[number];
  const auto& from = explored.tree.sequences()[sequence.parent];
  const std::vector<int>& changes = from.rows.at(sequence.row).changes;
  ASSERT_EQ(changes.size(), from.columns.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& column = from.columns[i];
    if (changes[i] <= 0 || column.receiving.kind != Part::Kind::on_object) continue;
    const ThreadId thread = completed(explored.all_events[number], column.receiving);
    if (sequence.is_partial && thread == no_thread) continue;
    EXPECT_EQ(thread, column.race_set.at(static_cast<std::size_t>(changes[i]) - 1).thread);
  }
}

/// Every run is in the tree, below the one that it was derived from.
TEST(Reachability, DrawsHowSequencesComeFromEachOther) {
  Options options = reachability_options();
  options.compare = true;
  std::size_t rows = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Explored explored = explore(ProgramWriter(seed, {.locks = true, .semaphores = true}).write(), options);
    if (explored.runs > reachability::SequenceTree::most_sequences) continue;
    const auto& sequences = explored.tree.sequences();
    EXPECT_EQ(explored.tree.runs(), explored.runs + explored.partial_runs);
    ASSERT_EQ(sequences.size(), explored.all_events.size());
    EXPECT_EQ(sequences[0].parent, reachability::none);
    for (std::uint32_t i = 1; i < sequences.size(); ++i) {
      ASSERT_LT(sequences[i].parent, i);
      expect_changes_happened(explored, i);
      for (const auto& column : sequences[i].columns) {
        if (column.receiving.kind != Part::Kind::on_object) continue;
        EXPECT_EQ(completed(explored.all_events[i], column.receiving), column.partner.thread);
      }
      rows += sequences[i].rows.size();
    }
  }
  EXPECT_GT(rows, 200U);
}

/// There is an end to what is kept, and it is known how much there is.
TEST(Reachability, DrawsNotMoreThanAPageCanHold) {
  Options options = reachability_options();
  options.compare = true;
  const AbstractThread twice = {{Op::mutex_lock, first_mutex},
                                {Op::mutex_unlock, first_mutex},
                                {Op::mutex_lock, first_mutex},
                                {Op::mutex_unlock, first_mutex}};
  const Explored explored = explore(AbstractProgram(4, twice), options);
  EXPECT_EQ(explored.runs, 2520U);  // 8! / 2!^4
  EXPECT_EQ(explored.tree.runs(), 2520U);
  EXPECT_EQ(explored.tree.sequences().size(), reachability::SequenceTree::most_sequences);
}

TEST(Reachability, DrawsNotMoreColumnsThanAPageCanHold) {
  constexpr std::size_t most = reachability::SequenceTree::most_columns;
  const Outcome outcome;
  Trace trace;
  trace.outcome = &outcome;
  reachability::SynSequence sequence;
  std::vector<std::uint32_t> heading;
  for (std::uint32_t i = 0; i < most + 10; ++i) {
    sequence.receiving.emplace_back().race_set.emplace_back();
    heading.push_back(i);
  }
  reachability::SequenceTree tree;
  const std::uint32_t first = tree.add(reachability::none, trace, false);
  tree.set_columns(first, sequence, heading, trace);
  tree.begin_row(first, std::vector<int>(most + 10, 1));
  const auto& kept = tree.sequences().at(first);
  EXPECT_EQ(kept.columns.size(), most);
  EXPECT_EQ(kept.columns_in_all, most + 10);
  EXPECT_EQ(kept.rows.at(0).changes.size(), most);
}

/// If the strategy forgets which events may not be changed any more, that is noticed.
TEST(Reachability, IsWrongWithoutColours) {
  Options forgetful;
  forgetful.forget = 1;
  EXPECT_GT(compare({.locks = true, .semaphores = true, .atomics = true}, 100, 1, forgetful, false).wrong, 0U);
}

}  // namespace
}  // namespace norn::test
