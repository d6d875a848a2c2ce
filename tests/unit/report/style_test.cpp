// The width of texts on a terminal, and texts that want to be more than that.

#include "report/style.hpp"

#include <gtest/gtest.h>

#include "report/columns.hpp"

namespace norn::test {
namespace {

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("gr\xc3\xbc\xc3\x9f"), 4U);
  EXPECT_EQ(display_width("e\xcc\x81"), 1U) << "an accent of its own";
  EXPECT_EQ(display_width("\xe6\xbc\xa2\xe5\xad\x97"), 4U) << "two wide characters";
}

TEST(Printable, IsHarmless) {
  EXPECT_EQ(printable("plain text, gr\xc3\xbc\xc3\x9f"), "plain text, gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(printable("a\tb\nc"), "a b c");
  EXPECT_EQ(printable("\x1b[31m\x07\x7f"), "?[31m??");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "?2J")
      << "an escape sequence in one character";
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "txt"),
            "?txt")
      << "from right to left";
  EXPECT_EQ(printable("\xff\xc3"), "??");
  EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80"), "????") << "what only looks like UTF-8";
}

TEST(Shorten, KeepsBothEnds) {
  EXPECT_EQ(shorten("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shorten("abcdefghij", 9), "abc...hij");
  EXPECT_EQ(shorten("abcdefghij", 4), "a...");
  EXPECT_EQ(shorten("abcdefghij", 2), "ab");
  EXPECT_EQ(display_width(shorten("\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97", 6)), 5U);
}

TEST(ShortenName, DropsArgumentsFirst) {
  const std::string name = "Map<std::string, std::vector<int>>::find(std::string const&) const";
  EXPECT_EQ(shorten_name(name, 80), name);
  EXPECT_EQ(shorten_name(name, 50), "Map<...>::find(std::string const&) const");
  EXPECT_EQ(shorten_name(name, 30), "Map<...>::find(...) const");
  EXPECT_EQ(shorten_name("f()", 3), "f()");
  EXPECT_EQ(shorten_name("Stream::operator<<(std::vector<int> const&)", 30), "Stream::operator<<(...)");
  EXPECT_EQ(shorten_name("a<b", 2), "a<");
}

TEST(Wrap, BreaksAtSpacesWhereThereAreAny) {
  EXPECT_EQ(wrap("one two three", 9, 2), "  one two\n  three\n");
  EXPECT_EQ(wrap("one two", 7, 0), "one two\n");
  EXPECT_EQ(wrap("abcdefghij kl", 6, 2), "  abcd\n  efgh\n  ij\n  kl\n");
  EXPECT_EQ(wrap("", 10, 2), "");
  EXPECT_EQ(wrap("\xe6\xbc\xa2\xe5\xad\x97", 1, 0), "\xe6\xbc\xa2\n\xe5\xad\x97\n") << "no room, but an end";
}

TEST(Threads, AreOrderedByDescent) {
  EXPECT_TRUE(comes_before("main", "main/1"));
  EXPECT_TRUE(comes_before("main/2", "main/10"));
  EXPECT_TRUE(comes_before("main/2/1", "main/10"));
  EXPECT_FALSE(comes_before("main/10", "main/2/1"));
  EXPECT_FALSE(comes_before("main", "main"));
}

}  // namespace
}  // namespace norn::test
