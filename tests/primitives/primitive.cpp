#include "primitive.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "exploration.hpp"

namespace norn::test {
namespace {

using Endings = std::set<std::pair<std::string, std::string>>;

Endings expected_endings(const Case& expected) {
  Endings endings;
  for (const Outcome& outcome : expected.outcomes) endings.emplace(outcome.status, outcome.output);
  return endings;
}

Endings seen_endings(const Checked& checked) {
  Endings endings;
  for (const auto& [ending, runs] : checked.outcomes) endings.insert(ending);
  return endings;
}

bool has_bug(const Case& expected) {
  return std::any_of(expected.outcomes.begin(), expected.outcomes.end(),
                     [](const Outcome& outcome) { return outcome.status != "ok"; });
}

}  // namespace

void PrintTo(const Case& expected, std::ostream* stream) { *stream << expected.program << " " << expected.name; }

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

std::string program(const std::string& name, const std::string& compiler) {
  return std::string(PRIMITIVE_PROGRAMS) + "/" + compiler + "/" + name;
}

Checked explore(const Case& expected, std::vector<std::string> options, const std::string& compiler) {
  options.insert(options.begin(), {"--strategy", "exhaustive", "--keep-going"});
  options.insert(options.end(), expected.options.begin(), expected.options.end());
  return check(program(expected.program, compiler), options, {expected.name});
}

void expect_same_runs_in_all_ways(const std::vector<Case>& cases) {
  // A process for every run takes its time; the first runs of a large exploration stand for all.
  const std::vector<std::string> limit{"--max-executions", "60"};
  for (const Case& expected : cases) {
    const Checked usual = explore(expected, limit);
    EXPECT_FALSE(usual.runs.empty()) << expected.name << ": " << usual.finished.error;
    for (const auto& [threads, isolation] :
         {std::pair("os", "snapshot"), std::pair("fiber", "fork"), std::pair("os", "fork")}) {
      SCOPED_TRACE(expected.program + " " + expected.name + " --threads " + threads + " --isolation " + isolation);
      std::vector<std::string> options{"--threads", threads, "--isolation", isolation};
      options.insert(options.end(), limit.begin(), limit.end());
      const Checked other = explore(expected, options);
      EXPECT_EQ(other.runs, usual.runs) << other.finished.error;
      EXPECT_EQ(other.outcomes, usual.outcomes);
      EXPECT_EQ(other.verdict(), usual.verdict());
    }
  }
}

void expect_same_outcomes_with_clang(const std::vector<Case>& cases) {
  for (const Case& expected : cases) {
    if (!std::filesystem::exists(program(expected.program, "clang"))) GTEST_SKIP() << "there is no clang++";
    const Checked checked = explore(expected, {}, "clang");
    EXPECT_EQ(seen_endings(checked), expected_endings(expected)) << expected.name << ": " << checked.finished.error;
  }
}

void expect_in_samples(const Case& expected) {
  const Checked checked =
      check(program(expected.program), {"--strategy", "random", "--max-executions", "2000"}, {expected.name});
  EXPECT_EQ(checked.verdict(), "incomplete");
  EXPECT_EQ(checked.executions() + checked.summary.at("partial_runs").get<std::int64_t>(), 2000);
  EXPECT_EQ(seen_endings(checked), expected_endings(expected));
}

TEST_P(Primitive, Exact) {
  const Case& expected = GetParam();
  const Checked checked = explore(expected);
  EXPECT_EQ(checked.finished.exit_code, has_bug(expected) ? 1 : 0) << checked.finished.output << checked.finished.error;
  EXPECT_EQ(checked.verdict(), has_bug(expected) ? "bug" : "pass");
  EXPECT_TRUE(checked.summary.value("complete", false)) << checked.summary.value("reasons", nlohmann::json());
  EXPECT_EQ(seen_endings(checked), expected_endings(expected));
  for (const Outcome& outcome : expected.outcomes) {
    if (outcome.runs == some) continue;
    const auto found = checked.outcomes.find({outcome.status, outcome.output});
    EXPECT_EQ(found == checked.outcomes.end() ? 0 : found->second, outcome.runs)
        << outcome.status << " " << outcome.output;
  }
  if (expected.distinct != some) {
    EXPECT_EQ(checked.distinct(), expected.distinct);
  }
  unsigned long deadlocks = 0;
  for (const auto& [ending, runs] : checked.outcomes) deadlocks += ending.first == "deadlock" ? runs : 0;
  EXPECT_EQ(checked.summary.value("deadlocks", 0UL), deadlocks);
  EXPECT_EQ(checked.runs.size(), checked.executions());
}

}  // namespace norn::test
