// The figures of Lei and Carver, *Reachability testing of concurrent programs*: race sets, control structures, the race
// table of figure 1 and its variants, which survive a round trip through text.

#include <gtest/gtest.h>

#include <map>

#include "explore/reachability/contradictions.hpp"
#include "explore/reachability/heading.hpp"
#include "explore/reachability/variant_text.hpp"
#include "trace/dependency.hpp"

namespace norn::test {
namespace {

using namespace reachability;

constexpr ThreadId main_and_four = 5;

const void* object(unsigned number) { return reinterpret_cast<const void*>(0x1000UL + 8UL * number); }

/// A run, written by hand. Thread 0 starts the others, T1 to T4.
class WrittenRun {
 public:
  WrittenRun() {
    for (ThreadId i = 1; i < main_and_four; ++i) links_.push_back({0, LinkKind::created, Op::none, 0, i, nullptr});
  }

  void sends(ThreadId thread, unsigned port) { link(LinkKind::sent, thread, no_thread, port); }

  /// From one of the ports that are open, the first of which is the one.
  void receives(ThreadId thread, ThreadId sender, const std::vector<unsigned>& open) {
    add(thread, from_sender(sender, 0), Op::receive, open.front(), 0);
    for (const unsigned port : open) link(LinkKind::opened, thread, no_thread, port);
  }

  void calls(ThreadId thread, Op op, unsigned on, std::uint64_t before) { add(thread, 0, op, on, before); }
  void leaves(ThreadId thread, unsigned monitor) { link(LinkKind::released, thread, no_thread, monitor); }
  void wakes(ThreadId thread, ThreadId other, unsigned monitor) { link(LinkKind::woke, thread, other, monitor); }
  void waits_to(ThreadId thread, Op op, unsigned on) { pending_.push_back({thread, op, object(on), 0, false}); }
  void looks(ThreadId thread, unsigned at, std::uint64_t before) {
    add(thread, 0, Op::atomic_load, at, before);
    events_.back().effect = Effect::read;
  }

  [[nodiscard]] SynSequence sequence() const {
    Outcome outcome;
    Trace trace;
    trace.events = events_;
    trace.links = links_;
    trace.pending = pending_;
    trace.outcome = &outcome;
    return SynSequenceReader().read(trace);
  }

 private:
  void add(ThreadId thread, std::uint16_t alternative, Op op, unsigned on, std::uint64_t before) {
    events_.push_back(
        {thread, alternative, op, Effect::write, 1, false, false, false, object(on), nullptr, 0, before, 0});
  }
  void link(LinkKind kind, ThreadId thread, ThreadId other, unsigned on) {
    links_.push_back({static_cast<std::uint32_t>(events_.size()), kind, Op::none, thread, other, object(on)});
  }

  std::vector<Event> events_;
  std::vector<Link> links_;
  std::vector<Pending> pending_;
};

/// For each receiving event, the senders of its race set, as "T2.0": the number of events of the thread before.
std::vector<std::string> race_sets(const SynSequence& sequence) {
  std::vector<std::string> sets;
  for (const Receiving& r : sequence.receiving) {
    std::string& set = sets.emplace_back();
    for (const Sending& s : r.race_set) {
      if (!set.empty()) set += " ";
      set += "T" + std::to_string(s.sender) + "." + std::to_string(r.is_message ? s.order : s.index);
    }
  }
  return sets;
}

using Sets = std::vector<std::string>;

/// T1 sends to p2. T2 receives twice from p2 and sends to p3. T3 receives twice from p3. T4 sends to p2 and to p3.
WrittenRun figure_1() {
  WrittenRun run;
  run.sends(1, 2);          // s1
  run.sends(4, 2);          // s2
  run.sends(4, 3);          // s4
  run.receives(2, 1, {2});  // r1
  run.receives(2, 4, {2});  // r2
  run.sends(2, 3);          // s3
  run.receives(3, 2, {3});  // r3
  run.receives(3, 4, {3});  // r4
  return run;
}

TEST(RaceSets, OfFigure1) { EXPECT_EQ(race_sets(figure_1().sequence()), (Sets{"T4.0", "", "T4.0", ""})); }

/// FIFO: T1's second message cannot overtake its first; what is sent to another port is not open.
TEST(RaceSets, OfFigure2) {
  WrittenRun run;
  run.sends(3, 1);          // s1
  run.sends(1, 1);          // s2
  run.receives(2, 3, {1});  // r1
  run.receives(2, 1, {1});  // r2
  run.sends(3, 2);          // s3
  run.receives(2, 3, {2});  // r3
  run.sends(1, 1);          // s4
  run.receives(2, 1, {1});  // r4
  EXPECT_EQ(race_sets(run.sequence()), (Sets{"T1.0", "", "", ""}));
}

/// A selective wait: p1 is open whenever p2 is selected, and p2 is closed whenever p1 is. Senders wait for a reply.
TEST(RaceSets, OfFigure3) {
  WrittenRun run;
  run.sends(3, 2);             // s1
  run.sends(1, 1);             // s2
  run.receives(2, 3, {2, 1});  // r1
  run.wakes(2, 3, 2);
  run.receives(2, 1, {1});  // r2
  run.wakes(2, 1, 1);
  run.sends(3, 2);             // s3
  run.sends(1, 1);             // s4
  run.receives(2, 3, {2, 1});  // r3
  run.receives(2, 1, {1});     // r4
  EXPECT_EQ(race_sets(run.sequence()), (Sets{"T1.0", "", "T1.1", ""}));
}

/// A binary semaphore, 1 at first: P and V alternate, so T1's P does not race with T2's V.
TEST(RaceSets, OfFigure4) {
  WrittenRun run;
  run.calls(2, Op::semaphore_wait, 1, 1);  // e1
  run.calls(2, Op::binary_post, 1, 0);     // e2
  run.calls(1, Op::semaphore_wait, 1, 1);  // e3
  run.calls(1, Op::binary_post, 1, 0);     // e4
  EXPECT_EQ(race_sets(run.sequence()), (Sets{"T1.0", "", "", ""}));
}

/// A monitor: T1 waits, T2 signals and leaves, T1 enters again. It calls only because of T2.
TEST(RaceSets, OfFigure5) {
  WrittenRun run;
  run.calls(1, Op::monitor_enter, 1, 0);  // e1
  run.leaves(1, 1);
  run.calls(2, Op::monitor_enter, 1, 0);  // e2
  run.wakes(2, 1, 1);
  run.leaves(2, 1);
  run.calls(1, Op::monitor_enter, 1, 0);  // e3
  EXPECT_EQ(race_sets(run.sequence()), (Sets{"T2.0", "", ""}));
}

/// T1: s1 to p1, s4 to p3. T4: s2 to p2. T3: r2, then s3 to p3. T2: r1, r3, r4.
WrittenRun figure_6() {
  WrittenRun run;
  run.sends(1, 1);          // s1
  run.sends(1, 3);          // s4
  run.sends(4, 2);          // s2
  run.receives(2, 1, {1});  // r1
  run.receives(3, 4, {2});  // r2
  run.sends(3, 3);          // s3
  run.receives(2, 3, {3});  // r3
  run.receives(2, 1, {3});  // r4
  return run;
}

/// What a receiving event depends on is what its thread knew before, not what it receives.
TEST(RaceSets, ControlStructuresOfFigure6) {
  const SynSequence sequence = figure_6().sequence();
  EXPECT_EQ(race_sets(sequence), (Sets{"", "", "T1.0", ""}));
  const auto& [r1, r2, r3, r4] =
      std::tie(sequence.receiving[0], sequence.receiving[1], sequence.receiving[2], sequence.receiving[3]);
  EXPECT_TRUE(sequence.contains(r3.structure, r1));
  EXPECT_FALSE(sequence.contains(r3.structure, r2));
  EXPECT_TRUE(sequence.contains(r3.partner.structure, r2));
  EXPECT_FALSE(sequence.contains(r3.race_set[0].structure, r2));
  EXPECT_TRUE(sequence.contains(r4.structure, r3) && sequence.contains(r4.structure, r2));
}

std::vector<Changes> variants_of(const SynSequence& sequence) {
  const std::vector<std::uint32_t> heading = heading_of(sequence);
  RaceTable table(columns_of(sequence, heading));
  std::vector<Changes> variants;
  while (table.next())
    for (const Changes& changes : without_contradictions(sequence, changes_of(heading, table.row())))
      variants.push_back(changes);
  return variants;
}

/// In the only variant, r3 receives s4; r4 is gone, s3 is not.
TEST(Variants, OfFigure6) {
  const SynSequence sequence = figure_6().sequence();
  const std::vector<Changes> variants = variants_of(sequence);
  ASSERT_EQ(variants.size(), 1U);
  const Variant variant = derive(sequence, variants[0]);
  ASSERT_EQ(variant.of(2).received.size(), 2U);
  EXPECT_EQ(variant.of(2).received[1].second.thread, 1);
  EXPECT_TRUE(variant.has_message(3, object(3), 0));
  EXPECT_EQ(variant.of(2).black, 2U) << "r1 and r3 must stay as they are";
  EXPECT_EQ(variant.of(3).black, 0U) << "r2 may still be changed";
}

/// Table 3, and what becomes of r3 in its rows: it receives s4, nothing that is known, s4.
TEST(Variants, OfFigure1) {
  const SynSequence sequence = figure_1().sequence();
  const std::vector<std::uint32_t> heading = heading_of(sequence);
  EXPECT_EQ(heading, (std::vector<std::uint32_t>{0, 2}));
  RaceTable table(columns_of(sequence, heading));
  std::vector<std::vector<int>> rows;
  std::vector<ThreadId> partners_of_r3;
  while (table.next()) {
    rows.push_back(table.row());
    const Variant variant = derive(sequence, {changes_of(heading, table.row()), {}, {}});
    partners_of_r3.push_back(variant.of(3).received.at(0).second.thread);
  }
  EXPECT_EQ(rows, (std::vector<std::vector<int>>{{0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(partners_of_r3, (std::vector<ThreadId>{4, no_thread, 4}));
}

/// One thread stores x and looks at y, another stores y and looks at x. Not both can see the old value.
TEST(Variants, AreNoContradictions) {
  constexpr unsigned x = 1;
  constexpr unsigned y = 2;
  WrittenRun run;
  run.calls(1, Op::atomic_store, x, 0);
  run.calls(2, Op::atomic_store, y, 0);
  run.looks(1, y, 1);
  run.looks(2, x, 1);
  EXPECT_EQ(variants_of(run.sequence()).size(), 2U);
  WrittenRun other;
  other.calls(1, Op::atomic_store, x, 0);
  other.looks(1, y, 0);
  other.calls(2, Op::atomic_store, y, 0);
  other.looks(2, x, 1);
  // The first look alone; both; the second one alone, if somebody else stores x first, or y for the first look.
  const std::vector<Changes> variants = variants_of(other.sequence());
  ASSERT_EQ(variants.size(), 4U);
  const auto opens = [](const Changes& changes) { return changes.changes.back().race == none; };
  EXPECT_EQ(std::count_if(variants.begin(), variants.end(), opens), 2);
}

void expect_round_trips(const WrittenRun& run, std::size_t variants) {
  std::vector<Identity> identities(main_and_four);
  for (ThreadId i = 1; i < main_and_four; ++i) identities[i] = {0, no_thread, no_thread, i};
  const ThreadNames names(identities);
  const SynSequence sequence = run.sequence();
  const std::vector<Changes> all = variants_of(sequence);
  EXPECT_EQ(all.size(), variants);
  for (const Changes& changes : all) {
    const Variant variant = derive(sequence, changes);
    const std::string text = to_text(variant, names);
    EXPECT_EQ(variant_of(text, names), variant) << text;
    EXPECT_EQ(to_text(variant_of(text, names), names), text);
  }
}

TEST(VariantText, SurvivesARoundTrip) {
  expect_round_trips(figure_1(), 3);
  expect_round_trips(figure_6(), 1);
}

TEST(VariantText, OfEndsSurvivesARoundTrip) {
  std::vector<Identity> identities(2);
  identities[1] = {0, no_thread, no_thread, 1};
  const ThreadNames names(identities);
  Variant variant;
  variant.threads.resize(2);
  variant.end = Ending{1, no_thread, 2, reinterpret_cast<const void*>(0x1000), 3, {4, 2}, true};
  variant.endings = {{0, 0, 4, nullptr, 0, {4, 0}, false}, *variant.end};
  const std::string text = to_text(variant, names);
  EXPECT_EQ(variant_of(text, names), variant) << text;
}

TEST(VariantText, OfCallsLooksAndSignalsSurvivesARoundTrip) {
  WrittenRun run;
  run.calls(1, Op::mutex_lock, 1, 0);
  run.leaves(1, 1);
  run.calls(2, Op::mutex_lock, 1, 0);
  run.leaves(2, 1);
  run.looks(3, 2, 0);
  run.calls(1, Op::atomic_store, 2, 0);
  run.calls(2, Op::atomic_store, 2, 1);
  run.looks(4, 2, 2);
  run.waits_to(4, Op::mutex_lock, 1);
  expect_round_trips(run, 12);
}

TEST(VariantText, TellsLinesFromNonsense) {
  const std::vector<Identity> identities(1);
  const ThreadNames names(identities);
  const std::string threads = "# thread main events 1 black 0 expires 0\n";
  EXPECT_NO_THROW(variant_of(threads, names));
  EXPECT_THROW(variant_of("# thread main events\n", names), std::invalid_argument);
  EXPECT_THROW(variant_of("# thread main/1 events 1 black 0 expires 0\n", names), std::invalid_argument);
  EXPECT_THROW(variant_of(threads + "0 main/7 mutex.lock - on 0x1000\n", names), std::invalid_argument);
  EXPECT_THROW(variant_of(threads + "0 main mutex.lock - on 0x1000\n", names), std::invalid_argument);
}

}  // namespace
}  // namespace norn::test
