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

TEST_F(Accept, TracesOfNorn) {
  const std::string trace = scratch_.file("run.trace");
  EXPECT_EQ(accept("main/2 mutex.lock on a\nmain/1 mutex.lock on a\n", {"--trace", trace}).exit_code, 0);
  EXPECT_EQ(accept(read_file(trace)).exit_code, 0);
  EXPECT_NE(read_file(trace).find("1 main/2 mutex.lock - at"), std::string::npos) << read_file(trace);
}

TEST_F(Accept, SaysWhatIsWrong) {
  const Finished unknown = accept("main/1 mutex.lock\nmain/1 jump\n");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.error.find("line 2: `jump` is not an operation"), std::string::npos) << unknown.error;
  EXPECT_EQ(accept("main/1\n").exit_code, 2);
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
  EXPECT_NE(read_file(scratch.file("graph.dot")).find("peripheries=2"), std::string::npos);
}

}  // namespace
}  // namespace norn::test
