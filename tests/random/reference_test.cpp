// The reference on programs whose outcomes are worked out by hand, and the tools around it.

#include "reference.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "generator.hpp"
#include "shrinker.hpp"

namespace random_programs {
namespace {

const Outcomes only_deadlock = {"deadlock"};

Reference explored(std::string_view description) {
  const ParseResult parsed = parse(description);
  EXPECT_EQ(parsed.error, nullptr) << parsed.error << ": " << description;
  return explore(parsed.program);
}

/// The value of a field such as "T1=" or "a=" at a position of its list.
std::string field(const std::string& outcome, const std::string& name, unsigned position) {
  std::size_t start = outcome.find(name) + name.size();
  while (position-- > 0) start = outcome.find(',', start) + 1;
  return outcome.substr(start, outcome.find_first_of(", ", start) - start);
}

/// The outcomes reduced to the first register of each of the threads, in the order of `threads`.
Outcomes first_registers(std::string_view description, const std::vector<unsigned>& threads) {
  Outcomes reduced;
  for (const std::string& outcome : explored(description).outcomes) {
    std::string values;
    for (unsigned thread : threads) values += field(outcome, "T" + std::to_string(thread) + "=", 0);
    reduced.insert(outcome.starts_with('T') ? values : outcome);
  }
  return reduced;
}

// Each addition returns what the other one left: 0 to the first, 1 to the second.
TEST(Reference, TwoAdditions) {
  const Reference found = explored("| spawn 1; spawn 2 | add r0 a0 1 | add r0 a0 1");
  EXPECT_EQ(found.outcomes, (Outcomes{"T0=0,0,0,0 T1=0,0,0,0 T2=1,0,0,0 a=2,0 s=0,0 p=0,0",
                                      "T0=0,0,0,0 T1=1,0,0,0 T2=0,0,0,0 a=2,0 s=0,0 p=0,0"}));
  // Between the first spawn and the last join stand A1 (addition of thread 1), S2, A2 and J1, with S2 before A2 and J1,
  // and A1 before J1. Starting with A1: A1 S2 then A2, J1 in two orders. Starting with S2: three orders of A1, A2, J1
  // with A1 before J1. Five in all.
  EXPECT_EQ(found.interleavings, 5);
}

// Store buffering: under sequential consistency both loads cannot miss both stores.
TEST(Reference, StoreBuffering) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2 | store a0 1; load r0 a1 | store a1 1; load r0 a0", {1, 2}),
            (Outcomes{"01", "10", "11"}));
}

// Nobody holds one of two mutexes that are taken together while it waits for the other: who has the one can get the
// other. If both were taken in turn, thread 1 could hold m0 and thread 2 m1.
TEST(Reference, BothAtOnce) {
  const Program program =
      parse("| spawn 1; spawn 2 | lock_both m0; add r0 a0 1 | lock m1; lock m0; add r0 a0 1").program;
  EXPECT_FALSE(explore(program).outcomes.contains("deadlock"));
  EXPECT_TRUE(explore(program, Fault::BothInTurn).outcomes.contains("deadlock"));
}

// Who tries one of them sees how it is done: thread 1 takes m1, cannot have m0, and gives m1 back.
TEST(Reference, BothInSteps) {
  EXPECT_EQ(first_registers("| lock m0; spawn 1; spawn 2; join 2; unlock m0 | lock_both m1 | try_lock r0 m1", {2}),
            (Outcomes{"0", "1"}));
  EXPECT_EQ(first_registers("| lock m0; spawn 1; spawn 2; join 2; unlock m0 | lock_both m0 | try_lock r0 m1", {2}),
            Outcomes{"1"});
}

// Where somebody tries, only one thread takes both.
TEST(Reference, BothAreTakenByOne) {
  EXPECT_EQ(first_registers("| lock m0; spawn 1; spawn 2; join 2 | lock_both m0 | lock_both m0; try_lock r0 m1", {2}),
            Outcomes{"1"});
}

// The read and the write of an increment in two steps: the second may see the first's result or not.
TEST(Reference, RegistersAsValues) {
  EXPECT_EQ(first_registers("a0=1 | spawn 1; load r0 a0; add r1 a1 r0 | store a0 2", {0}), (Outcomes{"1", "2"}));
}

TEST(Reference, OnlyOneCompareExchangeSucceeds) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2 | cas r0 a0 0 1 | cas r0 a0 0 2", {1, 2}), (Outcomes{"01", "10"}));
}

// Two philosophers who reach for the forks in opposite order: both eat, or each holds one fork for ever.
TEST(Reference, DiningPhilosophers) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2 | lock m0; lock m1; unlock m1; unlock m0"
                            "| lock m1; lock m0; unlock m0; unlock m1",
                            {0}),
            (Outcomes{"0", "deadlock"}));
  EXPECT_EQ(first_registers("| spawn 1; spawn 2 | lock m0; lock m1 | lock m0; lock m1", {0}), Outcomes{"0"});
}

// try_lock fails only while the other thread holds the mutex.
TEST(Reference, TryLock) {
  EXPECT_EQ(first_registers("| spawn 1; try_lock r0 m0 | lock m0; unlock m0", {0}), (Outcomes{"0", "1"}));
  EXPECT_EQ(first_registers("| spawn 1; join 1; try_lock r0 m0 | lock m0; unlock m0", {0}), Outcomes{"1"});
}

// Thread 1 keeps t0 until main has given up (it waits for main's release), so main's attempt can only expire, or come
// first.
TEST(Reference, TimedLockExpiresOnlyIfHeld) {
  EXPECT_EQ(first_registers("| spawn 1; try_lock_for r0 t0; release s0 | lock t0; acquire s0", {0}),
            (Outcomes{"0", "1"}));
  EXPECT_EQ(first_registers("| try_lock_for r0 t0", {0}), Outcomes{"1"});
}

// Taken twice, released once: still held when main tries.
TEST(Reference, RecursiveMutexCounts) {
  EXPECT_EQ(first_registers("| spawn 1; acquire s0; try_lock r0 q0; release s1"
                            "| lock q0; lock q0; unlock q0; release s0; acquire s1",
                            {0}),
            Outcomes{"0"});
}

// Readers meet at a barrier inside their sections; a reader and a writer cannot.
TEST(Reference, SharedMutex) {
  EXPECT_EQ(first_registers("k0=2 | spawn 1; lock_shared w0; arrive k0 | lock_shared w0; arrive k0", {0}),
            Outcomes{"0"});
  EXPECT_EQ(first_registers("k0=2 | spawn 1; lock w0; arrive k0 | lock_shared w0; arrive k0", {0}), only_deadlock);
  EXPECT_EQ(first_registers("| spawn 1; try_lock_shared r0 w0 | lock_shared w0; unlock_shared w0", {0}), Outcomes{"1"});
  EXPECT_EQ(first_registers("| spawn 1; try_lock r0 w0 | lock_shared w0; unlock_shared w0", {0}), (Outcomes{"0", "1"}));
}

// Who sleeps looks before and after: woken without a change it goes on sleeping, and a change alone does not wake it.
TEST(Reference, SleepWhile) {
  EXPECT_EQ(first_registers("| spawn 1; store a0 1; wake_one a0 | sleep_while a0 0; load r0 a0", {1}), Outcomes{"1"});
  EXPECT_EQ(first_registers("| spawn 1; wake_one a0 | sleep_while a0 0", {0}), only_deadlock);
  EXPECT_TRUE(explore(parse("| spawn 1; wake_one a0 | sleep_while a0 0").program, Fault::WokenGoesOn)
                  .outcomes.contains("T0=0,0,0,0 T1=0,0,0,0 a=0,0 s=0,0 p=0,0"));
  EXPECT_EQ(first_registers("| spawn 1; store a0 1 | sleep_while a0 0", {0}), (Outcomes{"0", "deadlock"}));
}

// Both sleep, or one of them comes after the change; one call wakes one of those that sleep.
TEST(Reference, WakeOneOrAll) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; store a0 1; wake_one a0 | sleep_while a0 0 | sleep_while a0 0", {0}),
            (Outcomes{"0", "deadlock"}));
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; store a0 1; wake_all a0 | sleep_while a0 0 | sleep_while a0 0", {0}),
            Outcomes{"0"});
}

// Two at once are enough for two.
TEST(Reference, ReleaseSome) {
  EXPECT_EQ(first_registers("| spawn 1; release_some s0 2 | acquire s0; acquire s0", {0}), Outcomes{"0"});
  EXPECT_EQ(first_registers("| spawn 1; try_acquire_for r0 s0 | release s0", {0}), (Outcomes{"0", "1"}));
}

// What fails is done again by whoever comes next, until it does not fail.
TEST(Reference, OnceFailing) {
  EXPECT_EQ(first_registers("| spawn 1; once_failing r0 o0; once_failing r0 o0 | load r0 a0", {0}), Outcomes{"1"});
  EXPECT_EQ(first_registers("| spawn 1; once_failing r0 o0 | once o0", {0}), (Outcomes{"0", "1"}));
  EXPECT_EQ(first_registers("| once_failing r0 o0; once o0; load r0 a0", {0}), Outcomes{"2"});
}

// A notification before the wait is lost.
TEST(Reference, LostWakeUp) {
  EXPECT_EQ(first_registers("| spawn 1; notify_one c0 | lock m0; wait c0", {0}), (Outcomes{"0", "deadlock"}));
}

// The cure: the waiter looks first. It sees the flag, or it waits before the flag is set and is notified after.
TEST(Reference, WaitWithPredicate) {
  EXPECT_EQ(first_registers("| spawn 1; lock m0; store a0 1; notify_one c0"
                            "| lock m0; load r0 a0; if r0 != 0 skip 1; wait c0",
                            {1}),
            (Outcomes{"0", "1"}));
}

TEST(Reference, WaitForExpiresOrIsNotified) {
  EXPECT_EQ(first_registers("| lock m0; wait_for r0 c0", {0}), Outcomes{"0"});
  EXPECT_EQ(first_registers("| spawn 1; notify_one c0 | lock m0; wait_for r0 c0", {1}), (Outcomes{"0", "1"}));
}

// Main notifies with the mutex, when thread 1 surely waits or has waited. Its count r1 says who had the mutex first:
// notified (r0 = 1) means after main; expired, either before main took the mutex, or meanwhile, and then after main.
TEST(Reference, ExpiryAndMutexAreTwoSteps) {
  const Reference found = explored(
      "| spawn 1; acquire s0; lock m0; add r0 a0 1; notify_one c0"
      "| lock m0; release s0; wait_for r0 c0; add r1 a0 1");
  Outcomes reduced;
  for (const std::string& outcome : found.outcomes) reduced.insert(field(outcome, "T1=", 0) + field(outcome, "T1=", 1));
  EXPECT_EQ(reduced, (Outcomes{"00", "01", "11"}));
}

// Both wait when main notifies one. Thread 2 passes the notification on, thread 1 does not: all end if 2 is woken.
TEST(Reference, NotifyOneWakesAnyWaiter) {
  constexpr std::string_view description =
      "| spawn 1; spawn 2; acquire s0; acquire s0; lock m0; notify_one c0"
      "| lock m0; release s0; wait c0"
      "| lock m0; release s0; wait c0; notify_one c0";
  EXPECT_EQ(first_registers(description, {0}), (Outcomes{"0", "deadlock"}));
  const Program program = parse(description).program;
  EXPECT_EQ(explore(program, Fault::NotifyOneWakesFirst).outcomes, only_deadlock);
}

TEST(Reference, NotifyAllWakesEveryWaiter) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; acquire s0; acquire s0; lock m0; notify_all c0"
                            "| lock m0; release s0; wait c0 | lock m0; release s0; wait c0",
                            {0}),
            Outcomes{"0"});
}

// As many V as P, in any order: nobody is left waiting. One V fewer: somebody always is.
TEST(Reference, Semaphores) {
  for (const std::string s : {"s0", "p0"}) {
    const std::string takers = "| acquire " + s + "| acquire " + s;
    EXPECT_EQ(first_registers("| spawn 1; spawn 2; release " + s + "; release " + s + takers, {0}), Outcomes{"0"});
    EXPECT_EQ(first_registers("| spawn 1; spawn 2; release " + s + takers, {0}), only_deadlock);
    EXPECT_EQ(first_registers("| spawn 1; try_acquire r0 " + s + "| release " + s, {0}), (Outcomes{"0", "1"}));
  }
}

// A barrier orders what is before it before what is after it.
TEST(Reference, Barrier) {
  EXPECT_EQ(first_registers("b0=2 | spawn 1; store a0 1; arrive b0 | arrive b0; load r0 a0", {1}), Outcomes{"1"});
  EXPECT_EQ(first_registers("b0=3 | spawn 1; arrive b0 | arrive b0", {0}), only_deadlock);
  EXPECT_EQ(first_registers("k0=2 | spawn 1; spawn 2; arrive k0 | arrive k0 | arrive k0", {0}), only_deadlock);
  EXPECT_EQ(first_registers("k0=2 | spawn 1; arrive k0; arrive k0 | arrive k0; arrive k0", {0}), Outcomes{"0"});
}

// Whoever returns from call_once sees the body done, and it is done once.
TEST(Reference, Once) {
  EXPECT_EQ(first_registers("| spawn 1; once o0; load r0 a0 | once o0; load r0 a0", {0, 1}), Outcomes{"11"});
  EXPECT_EQ(first_registers("| spawn 1; once y1; load r0 a1 | once y1; load r0 a1", {0, 1}), Outcomes{"11"});
}

// Whoever receives waits for a message, also for one of its own; whoever sends does not wait.
TEST(Reference, Ports) {
  EXPECT_EQ(first_registers("| spawn 1; receive r0 x0 | send x0 1; send x0 2", {0}), Outcomes{"1"});
  EXPECT_EQ(first_registers("| send x0 3; receive r0 x0", {0}), Outcomes{"3"});
  EXPECT_EQ(first_registers("| spawn 1; receive r0 x0 | send x1 1", {0}), only_deadlock);
}

// The messages of one thread come in order, that of the other anywhere between.
TEST(Reference, MessagesOfOneThreadComeInOrder) {
  const Program program =
      parse("| spawn 1; spawn 2; receive r0 x0; receive r1 x0; receive r2 x0 | send x0 1; send x0 2 | send x0 3")
          .program;
  const auto received = [&](Fault fault) {
    Outcomes reduced;
    for (const std::string& outcome : explore(program, fault).outcomes)
      reduced.insert(field(outcome, "T0=", 0) + field(outcome, "T0=", 1) + field(outcome, "T0=", 2));
    return reduced;
  };
  EXPECT_EQ(received(Fault::None), (Outcomes{"123", "132", "312"}));
  EXPECT_EQ(received(Fault::MessagesOvertake).size(), 6);
}

// Each of the two that receive gets its two messages in either order. That of thread 2 is sent only after both of its
// own have come, but the last of the four may be received before all that.
TEST(Reference, TwoPorts) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; spawn 3; spawn 4 | send x0 1"
                            "| receive r0 x0; receive r1 x0; send x1 2 | receive r0 x1; receive r1 x1"
                            "| send x0 4; send x1 5",
                            {2, 3}),
            (Outcomes{"12", "15", "42", "45"}));
}

// Whoever calls waits for the answer to its own call, for ever if it should answer itself.
TEST(Reference, Entries) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; accept r0 e0; accept r1 e0 | call r0 e0 1 | call r0 e0 2", {0, 1, 2}),
            (Outcomes{"11112", "21112"}));
  EXPECT_EQ(first_registers("| spawn 1; load r0 a0; accept r1 e0 | call r0 e0 1; store a0 1", {0, 1}), Outcomes{"011"});
  EXPECT_EQ(first_registers("| spawn 1; accept r1 e0; load r0 a0 | call r0 e0 1; store a0 1", {0, 1}),
            (Outcomes{"011", "111"}));
  EXPECT_EQ(first_registers("| call r0 e0 1; accept r1 e0", {0}), only_deadlock);
}

// Main takes one of the two; if it takes the message, nobody answers the call.
TEST(Reference, Select) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; select r0 5 | send x0 1 | call r0 e0 2", {0}),
            (Outcomes{"2", "deadlock"}));
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; select r0 5; select r1 5 | send x0 1 | call r0 e0 2", {0, 2}),
            (Outcomes{"112", "212"}));
  EXPECT_EQ(first_registers("| spawn 1; select r0 4 | send x0 1; call r0 e0 2", {0}), Outcomes{"2"});
}

// Main receives from x0, because it is the first that could; thread 1 from x1 only, and thread 2 from nothing.
TEST(Reference, OneThreadReceivesFromAPort) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; receive r0 x0 | select r0 3 | send x0 1; send x1 2; receive r0 x0",
                            {0, 1, 2}),
            Outcomes{"120"});
}

// V waits for P if the semaphore is 1, so that main sees the store.
TEST(Reference, BinarySemaphore) {
  constexpr std::string_view description = "n0=1 | spawn 1; release n0; load r0 a0 | store a0 1; acquire n0";
  EXPECT_EQ(first_registers(description, {0}), Outcomes{"1"});
  EXPECT_EQ(explore(parse(description).program, Fault::BinaryNeverWaits).outcomes.size(), 2);
  EXPECT_EQ(first_registers("n0=1 | acquire n0; release n0", {0}), Outcomes{"0"});
  EXPECT_EQ(first_registers("n0=1 | release n0", {0}), only_deadlock);
  EXPECT_EQ(first_registers("| acquire n0; release n0", {0}), only_deadlock);
}

// Thread 1 waits when main signals. In an SC monitor main counts first, in an SU monitor thread 1 does.
TEST(Reference, WhoGoesOnAfterASignal) {
  const auto counted = [](const std::string& m) {
    return first_registers("| spawn 1; acquire s0; enter " + m + "; signal " + m + "; add r0 a0 1" + "| enter " + m +
                               "; release s0; monitor_wait " + m + "; add r0 a0 1",
                           {0, 1});
  };
  EXPECT_EQ(counted("v0"), Outcomes{"01"});
  EXPECT_EQ(counted("u0"), Outcomes{"10"});
}

// Thread 2 wants to enter once main has signalled thread 1. In an SC monitor it may come before thread 1, in an SU
// monitor thread 1 has left when main, who is still in the monitor, says so.
TEST(Reference, SignalledThreadsEnterAnew) {
  const auto counted = [](const std::string& m) {
    return first_registers("| spawn 1; spawn 2; acquire s0; enter " + m + "; signal " + m + "; release s1" +
                               "| enter " + m + "; release s0; monitor_wait " + m + "; add r0 a0 1" +
                               "| acquire s1; enter " + m + "; add r0 a0 1",
                           {1, 2});
  };
  EXPECT_EQ(counted("v1"), (Outcomes{"01", "10"}));
  EXPECT_EQ(counted("u1"), Outcomes{"01"});
}

// Nobody enters between the signalled thread 1 and main, who goes on when it leaves: thread 2 is before or after both.
TEST(Reference, SignallersAreUrgent) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; acquire s0; enter u0; signal u0; add r0 a0 1"
                            "| enter u0; release s0; monitor_wait u0; add r0 a0 1 | enter u0; add r0 a0 1",
                            {1, 0, 2}),
            (Outcomes{"012", "120"}));
}

// Main wakes thread 1, which wakes thread 2. When that has left, main goes on before thread 1: it signalled first.
TEST(Reference, UrgentThreadsGoOnInOrder) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; acquire s1; enter u0; signal u0; add r0 a0 1"
                            "| enter u0; release s0; monitor_wait u0; signal u0; add r0 a0 1"
                            "| acquire s0; enter u0; release s1; monitor_wait u0; add r0 a0 1",
                            {2, 0, 1}),
            Outcomes{"012"});
}

// Thread 1 waits before thread 2, so it is woken, and wakes thread 2. The other way round thread 1 would wait for ever.
TEST(Reference, ConditionsOfMonitorsAreQueues) {
  for (const std::string m : {"u0", "v0"}) {
    const Program program = parse("| spawn 1; spawn 2; acquire s1; enter " + m + "; signal " + m +  //
                                  "| enter " + m + "; release s0; monitor_wait " + m + "; signal " + m +
                                  "| acquire s0; enter " + m + "; release s1; monitor_wait " + m)
                                .program;
    EXPECT_FALSE(explore(program).outcomes.contains(deadlock_outcome));
    EXPECT_EQ(explore(program, Fault::ConditionsAreStacks).outcomes, only_deadlock);
  }
}

// Main is outside when it counts, so thread 1 counts before or after it. Leaving again is passed over.
TEST(Reference, SignalAndExit) {
  for (const std::string m : {"u0", "v0"})
    EXPECT_EQ(first_registers("| spawn 1; acquire s0; enter " + m + "; signal_and_exit " + m + "; leave " + m +
                                  "; add r0 a0 1 | enter " + m + "; release s0; monitor_wait " + m + "; add r0 a0 1",
                              {0, 1}),
              (Outcomes{"01", "10"}));
}

TEST(Reference, SignalAll) {
  EXPECT_EQ(first_registers("| spawn 1; spawn 2; acquire s0; acquire s0; enter v0; signal_all v0"
                            "| enter v0; release s0; monitor_wait v0 | enter v0; release s0; monitor_wait v0",
                            {0}),
            Outcomes{"0"});
}

TEST(Reference, LostSignal) {
  for (const std::string m : {"u0", "v0"})
    EXPECT_EQ(first_registers("| spawn 1; enter " + m + "; signal " + m + "| enter " + m + "; monitor_wait " + m, {0}),
              (Outcomes{"0", "deadlock"}));
}

// At its end a thread leaves all monitors, and nested ones can deadlock like mutexes.
TEST(Reference, NestedMonitors) {
  EXPECT_EQ(first_registers("| spawn 1; join 1; enter u0; enter v0 | enter v0; enter u0", {0}), Outcomes{"0"});
  EXPECT_EQ(first_registers("| spawn 1; enter u0; enter v0 | enter v0; enter u0", {0}), (Outcomes{"0", "deadlock"}));
}

// The assertion fails when thread 1 comes second, and nothing is printed then.
TEST(Reference, Assertion) {
  EXPECT_EQ(first_registers("| spawn 1; add r0 a0 1 | add r0 a0 1; assert r0 != 1", {0, 1}),
            (Outcomes{"10", "assertion"}));
}

// Main does not wait for thread 1, so it does not matter that it never ends.
TEST(Reference, UnjoinedThreads) {
  EXPECT_EQ(explored("unjoined | spawn 1; load r0 a0 | store a0 1; acquire s0").outcomes,
            (Outcomes{"T0=0,0,0,0", "T0=1,0,0,0"}));
}

// A thread that is never started ends nothing and blocks nobody; one started by a thread is joined by it.
TEST(Reference, ThreadsOfThreads) {
  EXPECT_EQ(first_registers("| spawn 1; join 1; load r0 a0 | spawn 2; if r0 == 0 skip 1; spawn 3"
                            "| store a0 1 | store a0 2",
                            {0}),
            Outcomes{"1"});
}

TEST(Reference, PassesOverWhatAThreadMayNotDo) {
  EXPECT_EQ(first_registers("| unlock m0; wait c0; unlock_shared w0; lock t0; try_lock r0 t0; lock t0", {0}),
            Outcomes{"0"});
  EXPECT_EQ(first_registers("| leave u0; monitor_wait v0; signal u0; signal_and_exit v1; enter u0; enter u0", {0}),
            Outcomes{"0"});
}

TEST(Reference, GivesUpAtTheLimit) {
  const Program program = parse("| spawn 1; add r0 a0 1; add r1 a0 1 | add r0 a0 1; add r1 a0 1").program;
  EXPECT_FALSE(explore(program, Fault::None, 5).complete);
  EXPECT_TRUE(explore(program).complete);
}

TEST(Description, RejectsWhatIsNotAProgram) {
  for (const char* text : {"| jump 1", "| lock a0", "| lock m2", "| load r4 a0", "| spawn 1", "| spawn 1; spawn 1 |  ",
                           "b0=1 | spawn 1; arrive b0 | arrive b0", "x0=1 | ", "| load r0 a0 a1", "s0=-1 | ", "n0=2 | ",
                           "| select r0 16", "| signal_all u0", "| try_acquire r0 n0", "| send e0 1"})
    EXPECT_NE(parse(text).error, nullptr) << text;
}

TEST(Description, GeneratedProgramsSurviveTheirText) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const std::string text = to_text(generate(seed, static_cast<Theme>(seed % 3)));
    const ParseResult parsed = parse(text);
    ASSERT_EQ(parsed.error, nullptr) << text;
    ASSERT_EQ(to_text(parsed.program), text);
  }
}

TEST(Generator, ConstructsOnlyIfAskedFor) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    for (const Theme theme : {Theme::primitives, Theme::constructs, Theme::readers}) {
      unsigned used = 0;
      for (const Thread& thread : generate(seed, theme).threads)
        for (unsigned i = 0; i < thread.size; ++i) used += is_construct(thread.operations[i]) ? 1 : 0;
      ASSERT_EQ(used != 0, theme == Theme::constructs) << seed;
    }
  }
}

// What is needed for a deadlock of two mutexes is two threads with two locks each, and their start.
TEST(Shrinker, KeepsOnlyWhatIsNeeded) {
  const Program program = parse(
                              "s0=2 a1=1"
                              "| store a0 1; spawn 1; lock m0; load r0 a0; spawn 2; lock m1; unlock m0; join 1"
                              "| acquire s0; add r0 a0 1; release s0 | lock m1; lock m0; add r0 a1 1")
                              .program;
  const Program smallest =
      shrink(program, [](const Program& smaller) { return explore(smaller).outcomes.contains(deadlock_outcome); });
  EXPECT_EQ(to_text(smallest), " | lock m0; spawn 1; lock m1 | lock m1; lock m0");
}

}  // namespace
}  // namespace random_programs
