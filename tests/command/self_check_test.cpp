// norn check --self-check: a bug that is known to be there is found, or somebody hears of it.

#include <gtest/gtest.h>

#include <filesystem>

#include "command.hpp"

namespace norn::test {
namespace {

using nlohmann::json;

void expect_passed(const Finished& finished) {
  EXPECT_EQ(finished.exit_code, 0) << finished.output << finished.error;
  EXPECT_EQ(finished.error, "");
  EXPECT_TRUE(finished.output.starts_with("self-check passed: the planted bug was found after ")) << finished.output;
  EXPECT_EQ(lines(finished.output).size(), 1U) << finished.output;
}

class SelfCheckWith : public testing::TestWithParam<const char*> {};

TEST_P(SelfCheckWith, FindsThePlantedBug) {
  expect_passed(norn({"check", program("locks.c"), "--self-check", "--strategy", GetParam(), "--", "2", "2"}));
}

INSTANTIATE_TEST_SUITE_P(Strategies, SelfCheckWith,
                         testing::Values("auto", "exhaustive", "dpor", "reachability", "random", "pct", "pos",
                                         "coverage"),
                         [](const auto& strategy) { return std::string(strategy.param); });

TEST(SelfCheck, IsCompiledWithTheFlagsOfTheProgram) {
  expect_passed(norn({"check", program("wrong_order.cpp"), "--self-check", "--cflags",
                      "-Wall -Wextra -Werror -Wold-style-cast -fno-rtti"}));
}

/// There is one in every run of it.
TEST(SelfCheck, IsNotStoppedByBugsOfTheProgram) {
  expect_passed(norn({"check", program("several_bugs.c"), "--self-check", "--races", "ignore"}));
}

TEST(SelfCheck, WorksForExecutables) {
  const Scratch scratch;
  const std::string executable = scratch.file("locks");
  ASSERT_EQ(shell("norn-cc " + program("locks.c") + " -o " + executable).exit_code, 0);
  expect_passed(norn({"check", executable, "--self-check", "--", "2", "2"}));
}

/// Linked with the runtime, so that norn check takes it, but compiled by somebody else.
TEST(SelfCheck, FailsIfTheProgramIsNotInstrumented) {
  const Scratch scratch;
  const std::string executable = scratch.file("locks");
  const std::string object = scratch.file("locks.o");
  ASSERT_EQ(
      shell("gcc -c " + program("locks.c") + " -o " + object + " && norn-cc " + object + " -o " + executable).exit_code,
      0);
  const Finished finished =
      norn({"check", executable, "--self-check", "--json", scratch.file("summary"), "--", "2", "2"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_TRUE(finished.output.starts_with("self-check failed: ")) << finished.output;
  EXPECT_TRUE(contains(finished.output, "none of its code is instrumented")) << finished.output;
  EXPECT_EQ(json::parse(read_file(scratch.file("summary")))["self_check"], "failed");
  // And a verdict about it does not say that all is well.
  const Finished checked = norn({"check", executable, "--", "2", "2"});
  EXPECT_EQ(checked.exit_code, 3);
  EXPECT_TRUE(contains(checked.output, "none of its code is instrumented")) << checked.output;
}

TEST(SelfCheck, FailsIfThereIsNoTimeForIt) {
  const Finished finished = norn(
      {"check", program("locks.c"), "--self-check", "--strategy", "exhaustive", "--max-executions", "1", "--", "2"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_TRUE(contains(finished.output, "was not found in 1 run: stopped after 1 execution ")) << finished.output;
}

TEST(SelfCheck, PromisesNoReportThatItHasNot) {
  const Scratch scratch;
  for (const char* const option : {"--junit", "--sarif", "--html", "--outcomes", "--graph", "--checkpoint"}) {
    expect_input_error(norn({"check", program("locks.c"), "--self-check", option, scratch.file("file")}), option);
    EXPECT_FALSE(std::filesystem::exists(scratch.file("file"))) << option;
  }
}

TEST(SelfCheck, NeedsControl) {
  expect_input_error(norn({"check", program("locks.c"), "--self-check", "--strategy", "noise"}), "noise");
}

}  // namespace
}  // namespace norn::test
