// Every program of examples/ says in its head comment what norn check makes of it (see expectation.hpp).

#include <gtest/gtest.h>

#include "command.hpp"
#include "expectation.hpp"

namespace norn::test {
namespace {

const std::string directory = NORN_SOURCE_DIR "/examples";

class Example : public testing::TestWithParam<std::string> {};

TEST_P(Example, HasTheVerdictThatItSays) {
  const std::string file = directory + "/" + GetParam();
  const Expectation expected = read_expectation(file);
  ASSERT_TRUE(expected.verdict == "pass" || expected.verdict == "bug")
      << GetParam() << " does not say what is expected of it: `norn: pass` or `norn: bug KIND`";
  const Checked checked = check(file, expected.options);
  EXPECT_EQ(difference(expected, checked), "");
  // Small enough that a reader does not wait.
  EXPECT_LT(checked.summary.value("seconds", 1000.0), 5.0);
}

INSTANTIATE_TEST_SUITE_P(All, Example, testing::ValuesIn(sources_in(directory)),
                         [](const auto& example) { return test_name(example.param); });

TEST(Examples, AreMany) {
  std::size_t buggy = 0, correct = 0;
  for (const std::string& name : sources_in(directory))
    ++(read_expectation(directory + "/" + name).verdict == "bug" ? buggy : correct);
  EXPECT_GE(buggy + correct, 10U);
  EXPECT_GE(buggy, 3U);
  EXPECT_GE(correct, 3U);
}

}  // namespace
}  // namespace norn::test
