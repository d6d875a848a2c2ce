// Which lines a diff is about.

#include <gtest/gtest.h>

#include "report/changed_lines.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

constexpr const char* with_context =
    "diff --git a/src/queue.cpp b/src/queue.cpp\n"
    "index 1..2 100644\n"
    "--- a/src/queue.cpp\n"
    "+++ b/src/queue.cpp\n"
    "@@ -10,4 +10,5 @@ void f() {\n"
    " ten\n"
    "-eleven\n"
    "+new eleven\n"
    "+--- looks like a header\n"
    " twelve\n"
    " thirteen\n"
    "@@ -30,2 +31 @@\n"
    "--- was thirty\n"
    " thirty-one\n"
    "\\ No newline at end of file\n"
    "--- /dev/null\n"
    "+++ \"b/t\\303\\244st.cpp\"\n"
    "@@ -0,0 +1,2 @@\n"
    "+one\n"
    "+two\n";

TEST(ChangedLines, AreThoseThatWereTakenAwayAndPutThere) {
  const ChangedLines changed = ChangedLines::parse(with_context, "diff");
  EXPECT_TRUE(changed.was_there({"src/queue.cpp", 11}));
  EXPECT_FALSE(changed.was_there({"src/queue.cpp", 10}));
  EXPECT_FALSE(changed.was_there({"src/queue.cpp", 12}));
  EXPECT_TRUE(changed.was_there({"src/queue.cpp", 30}));
  EXPECT_FALSE(changed.was_there({"src/queue.cpp", 31}));
  EXPECT_FALSE(changed.is_there({"src/queue.cpp", 10}));
  EXPECT_TRUE(changed.is_there({"src/queue.cpp", 11}));
  EXPECT_TRUE(changed.is_there({"src/queue.cpp", 12}));
  EXPECT_FALSE(changed.is_there({"src/queue.cpp", 13}));
  EXPECT_FALSE(changed.is_there({"src/queue.cpp", 31}));
  EXPECT_TRUE(changed.is_there({"t\xc3\xa4st.cpp", 2}));
  EXPECT_FALSE(changed.is_there({"t\xc3\xa4st.cpp", 3}));
}

TEST(ChangedLines, AreFoundFromOtherDirectories) {
  const ChangedLines changed = ChangedLines::parse(with_context, "diff");
  EXPECT_TRUE(changed.is_there({"/home/me/src/queue.cpp", 11}));
  EXPECT_TRUE(changed.is_there({"queue.cpp", 11}));
  EXPECT_FALSE(changed.is_there({"my_queue.cpp", 11}));
  EXPECT_FALSE(changed.is_there({"other/queue.cpp", 11}));
  EXPECT_FALSE(changed.is_there({"", 11}));
}

TEST(ChangedLines, MayBeNone) {
  EXPECT_FALSE(ChangedLines::parse("", "diff").is_there({"a.cpp", 1}));
  EXPECT_FALSE(ChangedLines::parse("\n", "diff").is_there({"a.cpp", 1}));
}

TEST(ChangedLines, AreNotReadFromAnythingElse) {
  EXPECT_THROW(ChangedLines::parse("int main() {}\n", "main.cpp"), InputError);
  EXPECT_THROW(ChangedLines::parse("@@ -1,x +1 @@\n", "diff"), InputError);
  EXPECT_THROW(ChangedLines::parse("@@ -1\n", "diff"), InputError);
  EXPECT_THROW(ChangedLines::parse("@@ -99999999999999 +1 @@\n", "diff"), InputError);
}

TEST(SourceLines, HaveAFileAndANumber) {
  EXPECT_EQ(source_line("a/b.cpp:12"), (SourceLine{"a/b.cpp", 12}));
  EXPECT_EQ(source_line("c:\\x.cpp:7"), (SourceLine{"c:\\x.cpp", 7}));
  for (const char* none : {"library", "?", "", ":", "a.cpp:", "a.cpp:x", "a.cpp:1x", "a.cpp:-3", "a.cpp:0"})
    EXPECT_EQ(source_line(none), (SourceLine{none, 0})) << none;
}

}  // namespace
}  // namespace norn
