// Programs with the conventions of verification benchmarks (SV-COMP).

#include <gtest/gtest.h>

#include "command.hpp"

namespace norn::test {
namespace {

Checked verify(const std::string& way, Words options = {}) {
  options.insert(options.end(), {"--plain", "visible", "--races", "ignore"});
  return check(program("verifier.c"), options, {way});
}

TEST(Verifier, FunctionsThatAreAtomicHappenInOneStep) {
  const Checked checked = verify("one step");
  EXPECT_EQ(checked.verdict(), "pass") << checked.summary << checked.finished.error;
  EXPECT_EQ(checked.executions(), 2U) << "in every run, not only in the first";
  EXPECT_EQ(verify("one step", {"--isolation", "fork"}).runs, checked.runs);
}

TEST(Verifier, FunctionsThatAreNotCanBeInterrupted) {
  const Checked checked = verify("two steps");
  EXPECT_EQ(checked.first_bug(), "assertion") << checked.summary;
  EXPECT_TRUE(contains(checked.summary["bugs"].dump(), "reach_error")) << checked.summary;
}

TEST(Verifier, AccessesAreThoseOfTheSource) {
  EXPECT_EQ(verify("two looks").first_bug(), "assertion") << "the second look must not be optimised away";
  EXPECT_EQ(verify("two looks", {"--cflags", "-O2"}).verdict(), "pass") << "unless the user wants it";
}

TEST(Verifier, InputsThatNeverComeAreNoLivelock) {
  const Checked checked = verify("input");
  EXPECT_EQ(checked.verdict(), "incomplete") << checked.summary;
  EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "__VERIFIER_nondet_")) << checked.summary;
}

TEST(Verifier, ThreadsWithoutEndDoNotHideTheBug) {
  EXPECT_EQ(verify("threads", {"--max-threads", "4"}).first_bug(), "assertion");
  const Checked checked = verify("threads", {"--max-threads", "2"});
  EXPECT_EQ(checked.verdict(), "incomplete") << checked.summary;
  EXPECT_TRUE(contains(checked.summary["reasons"].dump(), "--max-threads")) << checked.summary;
}

}  // namespace
}  // namespace norn::test
