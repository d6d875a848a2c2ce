// Every program of examples/ says in its head comment what norn check makes of it: `norn: pass` or `norn: bug KIND`,
// and with which options, if any: `norn-options: ...`.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;

struct Expected {
  std::string verdict;
  std::string kind;
  Words options;
};

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(NORN_SOURCE_DIR "/examples"))
    if (entry.path().extension().string().starts_with(".c")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// From the comment before the first line of code.
Expected read_expected(const std::string& file) {
  Expected expected;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line) && !line.starts_with("#");) {
    std::istringstream words(line);
    std::string word;
    while (words >> word && word != "norn:" && word != "norn-options:") {
    }
    if (word == "norn:") words >> expected.verdict >> expected.kind;
    if (word == "norn-options:")
      while (words >> word) expected.options.push_back(word);
  }
  return expected;
}

class Example : public testing::TestWithParam<std::string> {};

TEST_P(Example, HasTheVerdictThatItSays) {
  const std::string file = std::string(NORN_SOURCE_DIR "/examples/") + GetParam();
  const Expected expected = read_expected(file);
  ASSERT_TRUE(expected.verdict == "pass" || expected.verdict == "bug")
      << GetParam() << " does not say what is expected of it: `norn: pass` or `norn: bug KIND`";
  const Checked checked = check(file, expected.options);
  EXPECT_EQ(checked.verdict(), expected.verdict) << checked.finished.output << checked.finished.error;
  EXPECT_EQ(checked.first_bug(), expected.kind);
  EXPECT_EQ(checked.finished.exit_code, expected.verdict == "bug" ? 1 : 0);
  EXPECT_EQ(checked.finished.error, "");
  // Small enough that a reader does not wait.
  EXPECT_LT(checked.summary.value("seconds", 1000.0), 5.0);
}

INSTANTIATE_TEST_SUITE_P(All, Example, testing::ValuesIn(examples()), [](const auto& name) {
  std::string text = name.param;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return text;
});

TEST(Examples, AreMany) {
  EXPECT_GE(examples().size(), 10U);
  std::size_t buggy = 0;
  for (const std::string& name : examples())
    buggy += read_expected(std::string(NORN_SOURCE_DIR "/examples/") + name).verdict == "bug";
  EXPECT_GE(buggy, 3U);
  EXPECT_GE(examples().size() - buggy, 3U);
}

}  // namespace
}  // namespace norn::test
