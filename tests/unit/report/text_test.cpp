// How reports read. The approved texts are in approved/; after a change that is meant,
//
//   NORN_APPROVE=1 build/release/bin/norn_unit_tests --gtest_filter='*Approved*'
//
// writes them anew, and the difference is for review.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "approved.hpp"
#include "report/details.hpp"
#include "scenarios.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;

constexpr unsigned narrow = 40;
constexpr unsigned usual = 80;
constexpr unsigned broad = 120;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

/// All reports are made once, for the tests that look at all of them.
class Text : public testing::Test {
 protected:
  static void SetUpTestSuite() { reports_ = scenarios(); }
  static void TearDownTestSuite() { reports_.clear(); }

  template <typename Check>
  static void for_each(Check check) {
    for (const auto& [name, report] : reports_) {
      SCOPED_TRACE(name);
      check(name, report);
    }
  }

 private:
  static inline std::map<std::string, Report> reports_;
};

TEST_F(Text, IsApproved) {
  for_each([](const std::string& name, const Report& report) {
    expect_approved(name + ".txt", to_text(report, {false, usual}));
  });
}

/// Commands for copying and paths are not cut.
bool may_be_too_wide(const std::string& line) {
  const std::string word = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  for (const char* const start :
       {"src/", "/usr/", "dir?", "queue_test.cpp", "norn replay", "Run it again: norn replay"})
    if (word.starts_with(start)) return true;
  return false;
}

TEST_F(Text, IsNeverTooWide) {
  for_each([](const std::string&, const Report& report) {
    for (const unsigned width : {20U, 30U, narrow, 60U, usual, 100U, broad, 200U})
      for (const std::string& line : lines(to_text(report, {false, width})))
        EXPECT_TRUE(display_width(line) <= width || may_be_too_wide(line)) << line;
  });
}

TEST_F(Text, EndsWithTheReplayCommand) {
  for_each([](const std::string&, const Report& report) {
    if (report.bugs.empty()) return;
    EXPECT_EQ(lines(to_text(report, {false, usual})).back(), "norn replay norn-traces/queue-1.trace");
  });
}

TEST_F(Text, HasNothingThatHarmsATerminal) {
  for_each([](const std::string&, const Report& report) {
    for (const std::string& line : lines(to_text(report, {false, usual}))) {
      EXPECT_EQ(printable(line), line);
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  });
}

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b') at = text.find('m', at) + 1;
    if (at < text.size()) plain += text[at];
  }
  return plain;
}

TEST_F(Text, IsTheSameInColour) {
  for_each([](const std::string&, const Report& report) {
    EXPECT_EQ(without_colours(to_text(report, {true, usual})), to_text(report, {false, usual}));
  });
}

/// What stands between the heading and the first empty line.
std::string summary_of(const std::string& text) {
  std::string summary;
  const auto shown = lines(text);
  for (std::size_t i = 1; i < shown.size() && !shown[i].empty(); ++i) summary += shown[i].substr(1);
  return summary;
}

TEST_F(Text, BeginsWithTwoSentences) {
  for_each([](const std::string& name, const Report& report) {
    if (name == "hostile" || report.bugs.empty()) return;
    const std::string summary = summary_of(to_text(report, {false, usual}));
    std::size_t sentences = 0;
    for (std::size_t at = 0; (at = summary.find(". ", at)) != std::string::npos; ++at) ++sentences;
    sentences += summary.ends_with('.') ? 1 : 0;
    EXPECT_EQ(sentences, report.bugs[0].count > 1 ? 3U : 2U) << summary;
  });
}

struct Layout {
  std::string name;
  unsigned width;
};

class Layouts : public testing::TestWithParam<Layout> {};

TEST_P(Layouts, AreApproved) {
  const auto& [name, width] = GetParam();
  expect_approved(name + "_in_" + std::to_string(width) + ".txt", to_text(scenarios().at(name), {false, width}));
}

INSTANTIATE_TEST_SUITE_P(
    Widths, Layouts,
    testing::Values(Layout{"deadlock_of_3_threads", narrow}, Layout{"deadlock_of_3_threads", broad},
                    Layout{"deadlock_of_8_threads", narrow}, Layout{"deadlock_of_8_threads", broad},
                    Layout{"use_after_free", narrow}, Layout{"use_after_free", broad},
                    Layout{"race_with_locks", narrow}, Layout{"hostile", narrow}),
    [](const auto& layout) { return layout.param.name + "_in_" + std::to_string(layout.param.width); });

TEST(Colour, IsApproved) {
  expect_approved("colour.txt", to_text(scenarios().at("deadlock_of_2_threads"), {true, broad}));
}

TEST(Diagram, LeavesOutWhatIsLongAgoButNotTheCause) {
  const std::string text = to_text(report_of(long_run(10'000)), {false, broad});
  EXPECT_LT(lines(text).size(), 100U);
  EXPECT_NE(text.find("events not shown"), std::string::npos);
  EXPECT_NE(text.find("store flag <- 1"), std::string::npos) << "the event that the summary speaks of";
}

/// Whatever the file is called.
class Source : public testing::TestWithParam<std::string> {};

TEST_P(Source, IsShownWhereItCanBeRead) {
  std::string name = (fs::temp_directory_path() / "norn-source-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const fs::path file = fs::path(name) / GetParam();
  std::ofstream(file) << "one\ntwo\n\tthree\x1b[2J\nfour\n" << std::string(500, '5') << "\nsix\n";
  ReportedBug bug = scenarios().at("assertion").bugs[0];
  bug.place = {file.string(), 3, "work"};
  const std::string text = to_text(report_of(bug), {false, usual});
  fs::remove_all(name);
  EXPECT_NE(text.find("      1 | one\n      2 | two\n    > 3 |     three?[2J\n      4 | four\n      5 | 555"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("six"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Names, Source, testing::Values("queue.cpp", "caf\xe9.cpp", "\x1b[2J.cpp"));

TEST(Source, IsCutInsideAWordIfNothingElseIsLeft) {
  const fs::path file = fs::path(testing::TempDir()) / "one_word.cpp";
  std::ofstream(file) << "  assert(" << std::string(200, 'a') << ");\n  return " << std::string(200, 'b') << ";\n";
  Place place{file.string(), 1, ""};
  for (const char* const part : {"> 1 |   assert(aaa", "> 2 |   return bbb"}) {
    std::string text = source_excerpt(place, 0, {false, usual}, 2);
    text.pop_back();
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_LE(display_width(text), usual) << text;
    ++place.line;
  }
}

TEST(ReplayCommand, IsForAShell) {
  Report report = scenarios().at("assertion");
  const auto last_line = [&](const std::string& trace) {
    report.bugs[0].trace = trace;
    return lines(to_text(report, {})).back();
  };
  EXPECT_EQ(last_line("a b.trace"), "norn replay 'a b.trace'");
  EXPECT_EQ(last_line("it's.trace"), "norn replay 'it'\\''s.trace'");
  EXPECT_EQ(last_line("\x1b[2J'.trace"), "norn replay \"$(printf '\\033[2J\\047.trace')\"");
  EXPECT_EQ(last_line("gr\xc3\xbc\xc3\x9f"), "norn replay 'gr\xc3\xbc\xc3\x9f'");
}

}  // namespace
}  // namespace norn::test
