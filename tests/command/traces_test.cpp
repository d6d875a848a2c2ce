// Which traces are in the directory for them, and what they say of sources that have changed since.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;

/// Fails in every run; with `races`, there is a data race as well.
std::string failing(const std::string& message, bool races = false) {
  return std::string("#include <assert.h>\n#include <pthread.h>\nstatic int number;\n") +
         "static void* add(void* argument) {\n  ++number;\n  return argument;\n}\n" +
         "int main(void) {\n  pthread_t thread;\n  pthread_create(&thread, 0, add, 0);\n" +
         (races ? "  ++number;\n" : "") + "  pthread_join(thread, 0);\n  assert(number == 7 && \"" + message +
         "\");\n}\n";
}

class Traces : public testing::Test {
 protected:
  /// In a directory of its own.
  std::string source(const std::string& directory, const std::string& text) const {
    fs::create_directories(scratch_.file(directory));
    return scratch_.write(directory + "/same.c", text);
  }

  Finished check(const std::string& file, const Words& options = {}) const {
    Words words = {"check", file, "--trace-dir", scratch_.file("traces")};
    words.insert(words.end(), options.begin(), options.end());
    Finished finished = norn(words);
    EXPECT_EQ(finished.exit_code, 1) << finished.error;
    return finished;
  }

  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(scratch_.file("traces"))) found.insert(entry.path().filename());
    return found;
  }

  std::string trace(int number) const { return scratch_.file("traces/same-" + std::to_string(number) + ".trace"); }

  Scratch scratch_;
};

TEST_F(Traces, OfProgramsWithTheSameNameStay) {
  const std::string one = source("one", failing("the first"));
  const std::string other = source("other", failing("the second"));
  check(one);
  EXPECT_EQ(lines(check(other).output).back(), "norn replay " + trace(2));
  check(one);
  EXPECT_EQ(names(), (std::set<std::string>{"same-1.trace", "same-2.trace"}));
  EXPECT_TRUE(contains(norn({"replay", trace(1)}).output, "the first"));
  EXPECT_TRUE(contains(norn({"replay", trace(2)}).output, "the second"));
}

TEST_F(Traces, AreThoseOfTheLastCheckThatFoundABug) {
  check(source("one", failing("before", true)), {"--keep-going"});
  EXPECT_GT(names().size(), 1U) << "races and the assertion";
  check(source("one", failing("after")), {"--keep-going"});
  EXPECT_EQ(names(), (std::set<std::string>{"same-1.trace"}));
  EXPECT_TRUE(contains(norn({"replay", trace(1)}).output, "after"));
}

TEST_F(Traces, SayThatTheSourceHasChanged) {
  const std::string file = source("one", failing("before"));
  check(file);
  EXPECT_EQ(norn({"replay", trace(1)}).error, "");
  EXPECT_TRUE(contains(norn({"show", trace(1)}).output, "assert(number == 7")) << "lines are quoted";
  source("one", "/* xylophone */\n" + failing("after"));
  for (const char* const command : {"replay", "show"}) {
    const Finished finished = norn({command, trace(1)});
    EXPECT_TRUE(contains(finished.error, "norn: same.c has changed since this run was recorded")) << finished.error;
    EXPECT_FALSE(contains(finished.output, " | ")) << finished.output;
    EXPECT_TRUE(contains(finished.output, "before")) << finished.output;
  }
  EXPECT_EQ(norn({"show", trace(1), "--html", scratch_.file("page")}).exit_code, 0);
  EXPECT_FALSE(contains(read_file(scratch_.file("page")), "xylophone"));
}

TEST_F(Traces, SayThatAHeaderHasChanged) {
  const std::string file = source("one", "#include \"it.h\"\n");
  scratch_.write("one/it.h", failing("before"));
  check(file);
  scratch_.write("one/it.h", failing("after"));
  const Finished finished = norn({"replay", trace(1)});
  EXPECT_TRUE(contains(finished.error, "norn: it.h has changed since this run was recorded")) << finished.error;
}

}  // namespace
}  // namespace norn::test
