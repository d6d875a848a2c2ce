// norn accept: whether a program allows a sequence of synchronization events.

#include <gtest/gtest.h>

#include "norn_check.hpp"

namespace norn::test {
namespace {

constexpr const char* two_locks = R"(
#include <mutex>
#include <thread>
std::mutex a, b;
int main() {
  std::thread one([] { const std::scoped_lock first(a); const std::scoped_lock second(b); });
  std::thread other([] { const std::scoped_lock first(a); });
  one.join();
  other.join();
}
)";

class Accept : public testing::Test {
 protected:
  Finished accept(const std::string& sequence, const std::vector<std::string>& options = {}) {
    std::vector<std::string> command = {norn_bin() + "/norn", "accept", program_, "--sequence",
                                        scratch_.write("sequence", sequence)};
    command.insert(command.end(), options.begin(), options.end());
    return run(command);
  }

  Scratch scratch_;
  std::string program_ = scratch_.write("two_locks.cpp", two_locks);
};

TEST_F(Accept, WhatTheProgramAllows) {
  EXPECT_EQ(accept("main/1 mutex.lock on a\nmain/1 mutex.lock on b\nmain/2 mutex.lock on a\n").exit_code, 0);
  EXPECT_EQ(accept("main/2 mutex.lock on a\nmain/1 mutex.lock on a\n").exit_code, 0);
  // Only the order on each object and in each thread counts.
  EXPECT_EQ(accept("# b\nmain/2 mutex.lock on a\n\nmain/1 mutex.lock on a\nmain/1 mutex.lock on b\n").exit_code, 0);
}

TEST_F(Accept, WhatItDoesNotAllow) {
  const Finished twice = accept("main/2 mutex.lock on a\nmain/2 mutex.lock on a\n");
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_NE(twice.output.find("not allowed: the most that a run exercises is 1 of 2 events"), std::string::npos)
      << twice.output;
  EXPECT_NE(twice.output.find("then comes one of: main/2 mutex.lock"), std::string::npos) << twice.output;
  // Two objects, or one: the first lock is another one than the second.
  EXPECT_EQ(accept("main/1 mutex.lock on x\nmain/1 mutex.lock on x\n").exit_code, 1);
  EXPECT_EQ(accept("main/1 mutex.lock on x\nmain/1 mutex.lock on y\n").exit_code, 0);
}

/// Giving back is an event here, because scoped_lock tries to lock, but nobody has to write it down; and it does not
/// take a hundred thousand runs to find five threads in the order that is wanted.
TEST_F(Accept, WhatManyThreadsDo) {
  program_ = scratch_.write("philosophers.cpp", R"(
#include <mutex>
#include <thread>
#include <vector>
std::mutex forks[5], book;
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; ++i)
    threads.emplace_back([i] {
      const std::scoped_lock both(forks[i], forks[(i + 1) % 5]);
      const std::lock_guard lock(book);
    });
  for (std::thread& thread : threads) thread.join();
}
)");
  const auto in_order = [](const std::vector<int>& order) {
    std::string sequence;
    for (const int i : order) sequence += "main/" + std::to_string(i) + " mutex.lock on book\n";
    return sequence;
  };
  for (const auto& order : {std::vector{5, 2, 4, 1, 3}, {1, 2, 3, 4, 5}, {3, 5, 1}}) {
    const Finished found = accept(in_order(order), {"--max-executions", "1000"});
    EXPECT_EQ(found.exit_code, 0) << found.output;
  }
}

// What the program calls so is meant, and not just any lock.
TEST_F(Accept, ObjectsByTheirNames) {
  EXPECT_EQ(accept("main/1 mutex.lock on a\nmain/1 mutex.lock on b\n").exit_code, 0);
  const Finished swapped = accept("main/1 mutex.lock on b\nmain/1 mutex.lock on a\n");
  EXPECT_EQ(swapped.exit_code, 1);
  EXPECT_NE(swapped.output.find("then comes one of: main/1 mutex.lock on a\n"), std::string::npos) << swapped.output;
  const Finished never = accept("main/2 mutex.lock on b\n");
  EXPECT_EQ(never.exit_code, 1);
  EXPECT_NE(never.output.find("possible is: main/1 mutex.lock on a, main/2 mutex.lock on a\n"), std::string::npos)
      << never.output;
}

// `a` and `b` are declared in line 4, the threads are started in lines 6 and 7.
TEST_F(Accept, ThreadsAndObjectsByTheirDeclarations) {
  EXPECT_EQ(accept("two_locks.cpp:6 mutex.lock on b\n").exit_code, 0);
  EXPECT_EQ(accept("two_locks.cpp:7 mutex.lock on b\n").exit_code, 1);
  EXPECT_EQ(accept("main/1 mutex.lock on two_locks.cpp:4\n").exit_code, 0);
  EXPECT_EQ(accept("main/1 mutex.lock on two_locks.cpp:4\nmain/1 mutex.lock on b\n").exit_code, 0) << "it can be a";
  EXPECT_EQ(accept("main/1 mutex.lock on two_locks.cpp:4\nmain/1 mutex.lock on a\n").exit_code, 1);
  const std::string started_twice = scratch_.write("twice.cpp",
                                                   "#include <mutex>\n#include <thread>\nstd::mutex m;\nint main() {\n"
                                                   "  const auto f = [] { std::scoped_lock l(m); };\n"
                                                   "  std::thread one(f), other(f);\n  one.join(), other.join();\n}\n");
  program_ = started_twice;
  const Finished both = accept("twice.cpp:6 mutex.lock on m\n");
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(both.error.find("line 1: `twice.cpp:6` can be main/1 or main/2"), std::string::npos) << both.error;
}

// It is tried which object a name means that the program does not know: the second lock of main/1 is the one.
TEST_F(Accept, WhateverANameCanMean) {
  program_ = scratch_.write("three_locks.cpp", R"(
#include <mutex>
#include <thread>
std::mutex a, b;
int main() {
  std::thread one([] { { std::scoped_lock l(a); } std::scoped_lock l(b); });
  std::thread other([] { std::scoped_lock l(b); });
  one.join(), other.join();
}
)");
  EXPECT_EQ(accept("main/1 mutex.lock on x\nmain/2 mutex.lock on x\n").exit_code, 0);
  EXPECT_EQ(accept("main/1 mutex.lock on b\nmain/2 mutex.lock on b\n").exit_code, 0);
  EXPECT_EQ(accept("main/1 mutex.lock on x\nmain/2 mutex.lock on x\nmain/1 mutex.lock on x\n").exit_code, 1);
}

// Others may have to move before the first event of the sequence, although that could be the first of all.
TEST_F(Accept, WhatHasToComeBefore) {
  program_ = scratch_.write("later.cpp", R"(
#include <atomic>
#include <mutex>
#include <thread>
std::mutex a;
std::atomic<bool> open;
int main() {
  std::thread one([] { std::scoped_lock l(a); });
  std::thread two([] { if (open) std::scoped_lock l(a); });
  std::thread three([] { { std::scoped_lock l(a); } open = true; });
  one.join(), two.join(), three.join();
}
)");
  EXPECT_EQ(accept("main/1 mutex.lock on a\nmain/2 mutex.lock on a\n").exit_code, 0) << "after main/3";
  EXPECT_EQ(accept("main/2 mutex.lock on a\nmain/3 mutex.lock on a\n").exit_code, 1);
}

TEST_F(Accept, TracesOfNorn) {
  const std::string trace = scratch_.file("run.trace");
  EXPECT_EQ(accept("main/2 mutex.lock on a\nmain/1 mutex.lock on a\n", {"--trace", trace}).exit_code, 0);
  EXPECT_EQ(accept(read_file(trace)).exit_code, 0);
  EXPECT_EQ(run({norn_bin() + "/norn", "replay", trace}).output, "replayed 3 events: the run ends well\n");
  EXPECT_NE(read_file(trace).find("1 main/2 mutex.lock - at"), std::string::npos) << read_file(trace);
}

TEST_F(Accept, SaysWhatIsWrong) {
  const Finished unknown = accept("main/1 mutex.lock\nmain/1 jump\n");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.error.find("line 2: `jump` is not an operation"), std::string::npos) << unknown.error;
  EXPECT_EQ(accept("main/1\n").exit_code, 2);
  EXPECT_EQ(accept("main/1 mutex.lock on\n").exit_code, 2);
  EXPECT_EQ(accept("main/1 mutex.lock - and more on a\n").exit_code, 2);
  EXPECT_EQ(accept("main/1 mutex.lock\n", {"--max-executions", "-1"}).exit_code, 2);
  EXPECT_EQ(accept("main/1 mutex.lock\n", {"--max-executions", "0"}).exit_code, 0) << "no limit";
  EXPECT_EQ(accept("main/1 mutex.lock\n", {"--trace", program_}).exit_code, 2);
  EXPECT_EQ(accept("# nothing\n").exit_code, 2);
  EXPECT_EQ(run({norn_bin() + "/norn", "accept", program_, "--sequence", "/nowhere"}).exit_code, 2);
}

// The graph of what was explored has every event once, and alternatives of it.
TEST(Graph, HasEveryEventOnce) {
  const Scratch scratch;
  const std::string program = PAPERS "/figure_1";
  check(program, {"--graph", scratch.file("graph.json"), "--strategy", "reachability"});
  const auto graph = nlohmann::json::parse(read_file(scratch.file("graph.json")));
  // T2 receives (1, 4) or (4, 1), T3 receives (2, 4) or (4, 2): two first receipts and two second ones each.
  EXPECT_EQ(graph.at("nodes").size(), 8);
  EXPECT_FALSE(graph.at("cut").get<bool>());
  check(program, {"--graph", scratch.file("graph.dot")});
  const std::string dot = read_file(scratch.file("graph.dot"));
  EXPECT_NE(dot.find("peripheries=2"), std::string::npos);
  // Everything has the name that its author knows.
  EXPECT_NE(dot.find("\"main/2 receive port_2 <- main/4\\n"), std::string::npos) << dot;
  EXPECT_EQ(dot.find("#1"), std::string::npos) << dot;
}

}  // namespace
}  // namespace norn::test
