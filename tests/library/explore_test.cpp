#include <gtest/gtest.h>
#include <norn/gtest.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

int global = 5;

norn::options with(const std::string& threads, const std::string& isolation) {
  norn::options how;
  how.threads = threads;
  how.isolation = isolation;
  return how;
}

/// Two threads, the first with two steps, the second with one: 3! / (2! 1!) = 3 interleavings.
TEST(Explore, CountsInterleavings) {
  std::atomic<int> count{0};
  const norn::result found = norn::explore({}, [&] {
    std::thread first([&] { count++, count++; });
    std::thread second([&] { count++; });
    first.join();
    second.join();
  });
  EXPECT_TRUE(found) << found.report;
  EXPECT_EQ(found.executions, 3U);
  EXPECT_TRUE(found.complete);
}

/// Globals, the heap and the caller's locals are as before in every run, and after the exploration.
TEST(Explore, EveryRunBeginsWithTheSameMemory) {
  std::map<int, int> on_heap{{1, 1}};
  int on_stack = 7;
  std::atomic<int> turn{0};
  const norn::result found = norn::explore({}, [&] {
    norn::require(global == 5 && on_heap.size() == 1 && on_stack == 7 && turn == 0, "everything is as before");
    global = 6;
    on_heap[2] = 2;
    on_stack = 8;
    std::thread other([&] { turn++; });
    turn++;
    other.join();
  });
  EXPECT_TRUE(found) << found.report;
  EXPECT_EQ(global, 5);
  EXPECT_EQ(on_heap.size(), 1U);
  EXPECT_EQ(on_stack, 7);
  EXPECT_EQ(turn, 0);
}

/// Many pages of the stack of whoever explores, some of them written by threads of the program.
void explore_with_much_on_the_stack(const char* threads, const char* isolation, unsigned jobs) {
  std::array<int, 10'000> numbers{};
  norn::options how;
  how.threads = threads;
  how.isolation = isolation;
  how.jobs = jobs;
  const norn::result found = norn::explore(how, [&] {
    norn::require(std::count(numbers.begin(), numbers.end(), 0) == 10'000, "everything is as before");
    std::atomic<int> turn{0};
    std::thread other([&] { numbers[turn.fetch_add(1) + 3'000] = 1; });
    numbers[turn.fetch_add(1) + 6'000] = 1;
    other.join();
  });
  EXPECT_TRUE(found) << found.report;
  EXPECT_EQ(found.executions, 2U);
  EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 0), 10'000);
  numbers.fill(1);
  EXPECT_EQ(numbers.back(), 1);
}

TEST(Explore, TheStackIsPutBack) {
  explore_with_much_on_the_stack("fiber", "snapshot", 1);
  explore_with_much_on_the_stack("fiber", "fork", 1);
  explore_with_much_on_the_stack("os", "snapshot", 1);
  explore_with_much_on_the_stack("fiber", "snapshot", 2);
  std::thread([] { explore_with_much_on_the_stack("fiber", "snapshot", 1); }).join();
}

void lose_an_update(std::atomic<int>& count) {
  const auto increment = [&count] { count = count + 1; };
  std::thread first(increment);
  std::thread second(increment);
  first.join();
  second.join();
}

TEST(Explore, AFailedExpectationIsABugOfItsRun) {
  std::atomic<int> count{0};
  const ::testing::AssertionResult answer = norn::passes([&] {
    lose_an_update(count);
    EXPECT_EQ(count, 2);
  });
  EXPECT_FALSE(answer);
  EXPECT_NE(std::string(answer.message()).find("Which is: 1"), std::string::npos) << answer.message();
  EXPECT_NE(std::string(answer.message()).find("explore_test.cpp"), std::string::npos) << answer.message();
}

TEST(Explore, NamesTheKindOfABug) {
  std::atomic<int> count{0};
  const norn::result broken = norn::explore({}, [&] {
    lose_an_update(count);
    norn::require(count == 2, "no update is lost");
  });
  EXPECT_EQ(broken.verdict, "bug");
  EXPECT_EQ(broken.kind, "property");
  EXPECT_NE(broken.message.find("no update is lost"), std::string::npos);

  std::mutex first;
  std::mutex second;
  const norn::result stuck = norn::explore({}, [&] {
    std::thread other([&] { std::lock_guard a(second), b(first); });
    { std::lock_guard a(first), b(second); }
    other.join();
  });
  EXPECT_EQ(stuck.kind, "deadlock");
  EXPECT_NE(stuck.message.find("waits for"), std::string::npos) << stuck.message;
  EXPECT_EQ(stuck.deadlocks, 1U);

  const norn::result thrown = norn::explore({}, [] { throw std::runtime_error("no"); });
  EXPECT_EQ(thrown.kind, "exception");
  EXPECT_NE(thrown.message.find("std::runtime_error: no"), std::string::npos);
}

/// Of all schedules that lose an update, the simplest is shown: one thread is preempted between its load and its store.
TEST(Explore, ShowsTheSimplestSchedule) {
  for (const char* threads : {"fiber", "os"})
    for (const char* isolation : {"snapshot", "fork"}) {
      norn::options how = with(threads, isolation);
      how.strategy = "random";
      const auto report = [&] {
        std::atomic<int> count{0};
        const auto increment_thrice = [&count] { count = count + 1, count = count + 1, count = count + 1; };
        return norn::explore(how,
                             [&] {
                               std::thread first(increment_thrice);
                               std::thread second(increment_thrice);
                               first.join();
                               second.join();
                               norn::require(count == 6, "no update is lost");
                             })
            .report;
      };
      EXPECT_NE(report().find(", 1 preemption)"), std::string::npos) << report();
      EXPECT_NE(report().find("Minimised from "), std::string::npos) << report();
      how.minimise = 0;
      EXPECT_EQ(report().find("minimised in "), std::string::npos) << report();
    }
}

TEST(Explore, RunsAgainAndAgainInOneProcessInEveryMode) {
  std::atomic<int> count{0};
  for (int i = 0; i < 3; ++i)
    for (const char* threads : {"fiber", "os"})
      for (const char* isolation : {"snapshot", "fork"})
        EXPECT_TRUE(norn::passes(with(threads, isolation), [&] {
          ASSERT_EQ(count, 0);
          std::thread first([&] { count++; });
          std::thread second([&] { count++; });
          first.join();
          second.join();
          EXPECT_EQ(count, 2);
        }));
}

TEST(Explore, ThreadsOutsideAreOrdinaryThreads) {
  std::atomic<int> count{0};
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      EXPECT_FALSE(norn::exploring());
      const std::lock_guard lock(mutex);
      count++;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 4);
}

TEST(Explore, DoesNothingBesideOtherThreads) {
  std::atomic<bool> done{false};
  std::thread outside([&] {
    while (!done) std::this_thread::yield();
  });
  bool ran = false;
  const norn::result result = norn::explore({}, [&] { ran = true; });
  done = true;
  outside.join();
  EXPECT_FALSE(ran);
  EXPECT_EQ(result.verdict, "incomplete");
  EXPECT_NE(result.report.find("threads were started before"), std::string::npos) << result.report;
}

TEST(Explore, SaysWhatIsWrongWithItsOptions) {
  norn::options how;
  how.strategy = "no such strategy";
  const norn::result found = norn::explore(how, [] {});
  EXPECT_FALSE(found);
  EXPECT_NE(found.report.find("no such strategy"), std::string::npos);
  how.strategy = "quoted \"strategy\"\n\\";
  EXPECT_NE(norn::explore(how, [] {}).report.find("there is no strategy called quoted \"strategy\"\n\\"),
            std::string::npos);
}

/// As in large parts of Europe: 100.000 steps, 1,5 seconds.
class OtherNumbers : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Explore, DoesNotDependOnHowTheProgramWritesNumbers) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new OtherNumbers));
  norn::options how;
  how.max_seconds = 600.5;
  const norn::result found = norn::explore(how, [] { std::thread([] {}).join(); });
  std::locale::global(before);
  EXPECT_TRUE(found) << found.report;
  EXPECT_GT(found.seconds, 0);
  EXPECT_LT(found.seconds, 600);
}

}  // namespace
