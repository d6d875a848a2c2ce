// Following a recorded schedule, saying where that is no longer possible, and counting preemptions.

#include <gtest/gtest.h>

#include "explore/preemption.hpp"
#include "explore/replay.hpp"
#include "toy_program.hpp"

namespace norn::test {
namespace {

/// main, main/1, main/2 and main/1/1, and room for more as the engine has it.
std::vector<Identity> family() {
  std::vector<Identity> identities(64);
  identities[1] = {0, 3, 2, 1};
  identities[2] = {0, no_thread, no_thread, 2};
  identities[3] = {1, no_thread, no_thread, 1};
  identities[0].first_child = 1;
  return identities;
}

class Replaying : public testing::Test {
 protected:
  /// Runs a program along a schedule; the divergence, if there is one.
  std::string replay(const ToyProgram& program, const std::string& schedule) {
    Replay strategy(schedule, names_);
    ToyRunner runner(program);
    return strategy.divergence(runner.run({}, strategy));
  }

  static Event event(ThreadId thread, Op op) {
    return {thread, 0, op, Effect::write, 1, false, false, false, nullptr, nullptr, 0};
  }

  std::string divergence(const std::string& schedule, const std::vector<Event>& events, End end) {
    Outcome outcome;
    outcome.end = end;
    const Replay strategy(schedule, names_);
    return strategy.divergence({events, 0, {}, 4, &outcome});
  }

  const std::vector<Identity> identities_ = family();
  const ThreadNames names_{identities_};
};

TEST_F(Replaying, ThreadsHaveTheNameOfTheirDescent) {
  EXPECT_EQ(names_.name(0), "main");
  EXPECT_EQ(names_.name(1), "main/1");
  EXPECT_EQ(names_.name(2), "main/2");
  EXPECT_EQ(names_.name(3), "main/1/1");
}

TEST_F(Replaying, FollowsTheSchedule) {
  const ToyProgram program = {{update(), load()}, {update()}, {}, {load()}};
  for (const char* const schedule :
       {"main atomic.update -\nmain atomic.load -\nmain/1 atomic.update -\nmain/1/1 atomic.load -\n",
        "main/1/1 atomic.load -\nmain atomic.update -\nmain/1 atomic.update -\nmain atomic.load -\n"})
    EXPECT_EQ(replay(program, schedule), "");
}

TEST_F(Replaying, ChoosesTheAlternative) {
  const std::vector<Choice> waiters = {{0, 1}, {0, 2}, {0, 3}};
  EXPECT_EQ(Replay("main condition.signal main/2\n", names_).choose({0, no_thread, waiters}), 1U);
  EXPECT_EQ(Replay("main condition.signal main/1/1\n", names_).choose({0, no_thread, waiters}), 2U);
  EXPECT_EQ(Replay("main condition.signal nobody\n", names_).choose({0, no_thread, waiters}), 3U) << "not possible";
  const std::vector<Choice> nobody = {{0, no_thread}, {1, 0}};
  EXPECT_EQ(Replay("main condition.signal nobody\n", names_).choose({0, no_thread, nobody}), 0U);
  const std::vector<Choice> sleeper = {{0, 0}, {1, expires}, {1, wakes_spuriously}};
  EXPECT_EQ(Replay("main/1 condition.timed_sleep expires\n", names_).choose({0, no_thread, sleeper}), 1U);
  EXPECT_EQ(Replay("main/1 condition.timed_sleep spurious\n", names_).choose({0, no_thread, sleeper}), 2U);
  EXPECT_EQ(Replay("main/1 condition.timed_sleep -\n", names_).choose({0, no_thread, sleeper}), 3U);
}

// Where a recorded signal is now a timed wait, the number of its alternative is no thread.
TEST_F(Replaying, SurvivesAlternativesOfOtherOperations) {
  std::vector<Identity> alone(64);
  const ThreadNames names(alone);
  for (const std::uint16_t alternative : {expires, wakes_spuriously, std::uint16_t{63}, std::uint16_t{5000}}) {
    const std::vector<Choice> enabled = {{0, alternative}};
    EXPECT_EQ(Replay("main condition.signal main/1\n", names).choose({0, no_thread, enabled}), 1U);
    EXPECT_EQ(Replay("main address.wake main/1\n", names).choose({0, no_thread, enabled}), 1U);
  }
}

TEST_F(Replaying, RefusesWhatIsNotRecorded) {
  const std::vector<Choice> enabled = {{0, 0}, {1, 0}};
  EXPECT_EQ(Replay("", names_).choose({0, no_thread, enabled}), 2U);
  EXPECT_EQ(Replay("main/2 mutex.lock -\n", names_).choose({0, no_thread, enabled}), 2U);
  EXPECT_EQ(Replay("main mutex.lock -\n", names_).choose({1, no_thread, enabled}), 2U) << "beyond the end";
}

TEST_F(Replaying, SaysWhereAndHowItDiverged) {
  const std::string schedule = "main mutex.lock -\nmain/1 atomic.load -\n";
  const Event first = event(0, Op::mutex_lock);
  EXPECT_EQ(divergence(schedule, {first, event(1, Op::atomic_load)}, End::assertion), "");
  EXPECT_EQ(divergence(schedule, {first, event(1, Op::atomic_store)}, End::finished),
            "event 2 of the recording is main/1 atomic.load, but now it is main/1 atomic.store");
  EXPECT_EQ(divergence(schedule, {event(0, Op::once)}, End::diverged),
            "event 1 of the recording is main mutex.lock, but now it is main once")
      << "the first difference counts, not the one that ended the run";
  EXPECT_EQ(divergence(schedule, {first}, End::diverged),
            "event 2 of the recording is main/1 atomic.load, but the program can no longer do that");
  EXPECT_EQ(divergence(schedule, {first}, End::finished),
            "event 2 of the recording is main/1 atomic.load, but the program can no longer do that");
  EXPECT_EQ(divergence(schedule, {first, event(1, Op::atomic_load)}, End::diverged),
            "the recording ends after event 2, but the program goes on");
  EXPECT_EQ(divergence("", {}, End::finished), "");
}

// --- Preemptions -----------------------------------------------------------------------------------------------------

/// Runs a toy program in a given order, with nothing forced, as run_detailed does.
class InOrder final : public Strategy {
 public:
  explicit InOrder(std::string order) : order_(std::move(order)) {}
  bool next(Prefix&) override { return true; }
  std::size_t choose(const FreeChoice& at) override {
    for (std::size_t i = 0; i < at.enabled.size(); ++i)
      if (at.enabled[i].thread == order_.at(at.step) - '0') return i;
    throw std::logic_error("this order is not possible");
  }
  void learn(const Trace&) override {}
  [[nodiscard]] bool exhausts() const override { return false; }

 private:
  std::string order_;
};

unsigned preemptions_of(const ToyProgram& program, const std::string& order) {
  InOrder strategy(order);
  ToyRunner runner(program);
  return preemptions(runner.run({}, strategy));
}

TEST(Preemptions, AreSwitchesAwayFromThreadsThatCouldGoOn) {
  const ToyProgram two = independent({2, 2});
  EXPECT_EQ(preemptions_of(two, "0011"), 0U) << "0 was done";
  EXPECT_EQ(preemptions_of(two, "1100"), 0U);
  EXPECT_EQ(preemptions_of(two, "0110"), 1U);
  EXPECT_EQ(preemptions_of(two, "0101"), 2U);
  EXPECT_EQ(preemptions_of({}, ""), 0U);
  EXPECT_EQ(preemptions_of(independent({1, 1, 1}), "201"), 0U);
  // A thread that waits for a lock is not preempted.
  const ToyProgram locks = {{lock(), update(1), unlock()}, {lock(), unlock()}, {lock(), unlock()}};
  EXPECT_EQ(preemptions_of(locks, "0001122"), 0U);
  const ToyProgram handed = {{lock(), update(1), unlock()}, {update(2), lock(), unlock()}};
  EXPECT_EQ(preemptions_of(handed, "010011"), 1U) << "0 is preempted once; 1 waits for the lock";
}

TEST(Preemptions, CountThreadsWithSeveralAlternativesOnce) {
  ToyOperation many = update();
  many.alternatives = {1, 2};
  EXPECT_EQ(preemptions_of({{update(), many}, {update()}}, "010"), 1U);
}

}  // namespace
}  // namespace norn::test
