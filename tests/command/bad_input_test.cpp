// Whatever is wrong with what norn is given, it says so in one sentence and ends with exit code 2.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;

// --- Programs --------------------------------------------------------------------------------------------------------

TEST(BadProgram, IsMissing) {
  expect_input_error(norn({"check", "no_such_file"}), "no_such_file");
  expect_input_error(norn({"check", "no_such_file.cpp"}), "no_such_file.cpp");
  expect_input_error(norn({"check", program("locks.c"), "no_such_file.cpp"}), "no_such_file.cpp");
  expect_input_error(norn({"check", ""}));
  expect_input_error(norn({"check"}), "program");
  expect_input_error(norn({"check", "--", "x"}), "program");
  expect_input_error(norn({}));
  expect_input_error(norn({"no_such_command"}), "no_such_command");
}

TEST(BadProgram, IsNoProgram) {
  const Scratch scratch;
  expect_input_error(norn({"check", scratch.path()}), "directory");
  expect_input_error(norn({"check", scratch.write("text", "hello\n")}), "executable");
  fs::permissions(scratch.file("text"), fs::perms::owner_all);
  expect_input_error(norn({"check", scratch.file("text")}), "executable");
  expect_input_error(norn({"check", scratch.write("empty", "")}), "executable");
  // It begins like one.
  expect_input_error(norn({"check", scratch.write("broken",
                                                  "\x7f"
                                                  "ELF\x02\x01\x01")}),
                     "executable");
  expect_input_error(norn({"check", "/dev/null"}));
  fs::create_directory(scratch.file("directory.cpp"));
  expect_input_error(norn({"check", scratch.file("directory.cpp")}), "directory");
}

TEST(BadProgram, IsNotInstrumented) {
  const Scratch scratch;
  expect_input_error(norn({"check", "/bin/true"}), "norn-c++");
  ASSERT_EQ(shell("echo 'int main() {}' | g++ -x c++ - -o '" + scratch.file("plain") + "'").exit_code, 0);
  expect_input_error(norn({"check", scratch.file("plain")}), "norn-c++");
}

TEST(BadProgram, IsAMixture) {
  const Scratch scratch;
  const std::string executable = scratch.file("executable");
  ASSERT_EQ(shell("norn-cc '" + program("arguments.c") + "' -o '" + executable + "'").exit_code, 0);
  expect_input_error(norn({"check", executable, program("locks.c")}), "mixture");
  expect_input_error(norn({"check", program("locks.c"), executable}), "mixture");
  expect_input_error(norn({"check", executable, executable}));
}

/// The compiler's messages, then one sentence of Norn's.
void expect_compiler_error(const Finished& finished, const std::string& message, const std::string& sentence) {
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.output, "");
  const auto all = lines(finished.error);
  ASSERT_GE(all.size(), 2U) << finished.error;
  EXPECT_TRUE(contains(finished.error, message)) << finished.error;
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(all[i].starts_with("norn: "), i + 1 == all.size()) << finished.error;
  EXPECT_TRUE(contains(all.back(), sentence)) << all.back();
}

TEST(BadProgram, DoesNotCompile) {
  const Scratch scratch;
  const std::string wrong = scratch.write("wrong.cpp", "int main() { return undeclared; }\n");
  expect_compiler_error(norn({"check", wrong}), "undeclared", "wrong.cpp");
  const std::string lost = scratch.write("lost.c", "#include \"lost.h\"\n");
  expect_compiler_error(norn({"check", lost}), "lost.h", "lost.c");
  const std::string open = scratch.write("open.c", "int f(void);\nint main(void) { return f(); }\n");
  expect_compiler_error(norn({"check", open}), "undefined reference", "link");
  expect_compiler_error(norn({"check", program("arguments.c"), "--cflags=--no-such-flag"}), "no-such-flag",
                        "arguments.c");
  expect_compiler_error(norn({"check", program("arguments.c"), "--ldflags=-lno-such-library"}), "no-such-library",
                        "link");
  expect_input_error(norn({"check", program("arguments.c"), "--cflags=\"-O2"}), "quote");
}

TEST(BadEnvironment, IsNamed) {
  const Finished no_compiler = norn({"check", program("locks.c")}, {{"NORN_COMPILER", "no-such-compiler"}});
  expect_input_error(no_compiler, "no-such-compiler");
  // With an empty cache, so that there is something to compile.
  const Scratch scratch;
  const Words words = {"check", program("arguments.c")};
  expect_input_error(norn(words, {{"NORN_CACHE", scratch.path()}, {"TMPDIR", "/no/such/directory"}}), "TMPDIR");
  // And without any: it is in TMPDIR then.
  EXPECT_EQ(norn(words, {{"NORN_CACHE", "/dev/null/cache"}, {"TMPDIR", scratch.path()}}).exit_code, 0);
}

// --- Options ---------------------------------------------------------------------------------------------------------

TEST(BadOption, IsUnknown) {
  expect_input_error(norn({"check", program("locks.c"), "--no-such-option"}), "--no-such-option");
  expect_input_error(norn({"check", program("locks.c"), "-x"}), "-x");
  expect_input_error(norn({"replay", "x", "--no-such-option"}), "--no-such-option");
  expect_input_error(norn({"strategies", "x"}), "x");
  expect_input_error(norn({"--no-such-option"}));
}

TEST(BadOption, HasAnUnknownValue) {
  for (const char* const option : {"--strategy", "--wakeup", "--isolation", "--threads", "--races", "--plain"})
    for (const char* const value : {"no-such-value", "", "ANY", "0"})
      expect_input_error(norn({"check", program("locks.c"), option, value}), option);
  expect_input_error(norn({"check", program("locks.c"), "--strategy", "no-such-strategy"}), "exhaustive");
  expect_input_error(norn({"replay", "x", "--threads", "no-such-value"}), "--threads");
}

TEST(BadOption, LacksItsValue) {
  for (const char* const option : {"--strategy", "--seed", "--json", "--cflags"})
    expect_input_error(norn({"check", program("locks.c"), option}), option);
}

TEST(BadOption, NamesNoFile) {
  for (const char* const option :
       {"--json", "--junit", "--sarif", "--html", "--outcomes", "--list-runs", "--list-behaviours", "--graph",
        "--coverage-file", "--trace-dir", "--checkpoint", "--resume"}) {
    expect_input_error(norn({"check", program("locks.c"), option, ""}), option);
    expect_input_error(norn({"check", program("locks.c"), option + std::string("=")}), option);
  }
  for (const char* const option : {"--coverage", "--baseline", "--changed", "--html"})
    expect_input_error(norn({"show", "x", option, ""}), option);
  expect_input_error(norn({"accept", program("locks.c"), "--sequence", ""}), "--sequence");
  expect_input_error(norn({"accept", program("locks.c"), "--sequence", "x", "--trace", ""}), "--trace");
}

class BadNumber : public testing::TestWithParam<const char*> {};

TEST_P(BadNumber, IsRefused) {
  const std::string option = GetParam();
  for (const char* const value : {"-1", "-99999999999999999999", "99999999999999999999999", "18446744073709551616",
                                  "1e400", "nan", "inf", "-inf", "abc", "", " ", "1x", "--"}) {
    // Seconds may be as many as anybody likes, as long as they are a number.
    if (option.ends_with("seconds") && (value[0] == '9' || value[0] == '1') && value[1] != 'x' && value[1] != 'e')
      continue;
    SCOPED_TRACE(option + " '" + value + "'");
    expect_input_error(norn({"check", program("locks.c"), option, value}), option);
    expect_input_error(norn({"check", program("locks.c"), option + "=" + value}), option);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BadNumber,
                         testing::Values("--seed", "--pct-depth", "--preemptions", "--spurious", "--minimise",
                                         "--max-executions", "--max-seconds", "--max-steps", "--max-threads",
                                         "--max-memory", "--max-run-seconds", "--checkpoint-seconds"),
                         [](const auto& option) {
                           std::string name;
                           for (const char c : std::string(option.param))
                             if (c != '-') name += c;
                           return name;
                         });

TEST(BadProbability, IsRefused) {
  for (const char* const value : {"-0.1", "1.1", "nan", "x", ""})
    expect_input_error(norn({"check", program("locks.c"), "--strategy", "noise", "--probability", value}),
                       "--probability");
}

TEST(GoodNumber, IsDecimal) {
  const Finished finished =
      norn({"check", program("locks.c"), "--strategy", "random", "--max-executions", "010", "--json", "-"});
  EXPECT_EQ(nlohmann::json::parse(finished.output)["executions"], 10);
  EXPECT_EQ(norn({"check", program("locks.c"), "--seed", "08"}).exit_code, 0);
}

TEST(Preemptions, AreNotBoundedBySampling) {
  for (const char* const strategy : {"random", "pct", "pos"})
    expect_input_error(norn({"check", program("locks.c"), "--strategy", strategy, "--preemptions", "2"}),
                       "--preemptions");
}

TEST(GoodNumber, IsAccepted) {
  const std::vector<Words> good = {{"--seed", "0"},
                                   {"--seed", "18446744073709551615"},
                                   {"--pct-depth", "1"},
                                   {"--preemptions", "0"},
                                   {"--preemptions", "1000"},
                                   {"--spurious", "0"},
                                   {"--minimise", "0"},
                                   {"--minimise", "18446744073709551615"},
                                   {"--max-executions", "0"},
                                   {"--max-executions", "18446744073709551615"},
                                   {"--max-seconds", "0"},
                                   {"--max-seconds", "1e9"},
                                   {"--max-seconds", "99999999999999999999999"},
                                   {"--max-steps", "100000000"},
                                   {"--max-threads", "2000"},
                                   {"--max-memory", "1MB"},
                                   {"--max-run-seconds", "0"},
                                   {"--max-run-seconds", "1e9"},
                                   {"--max-run-seconds", "1e9", "--isolation", "fork"}};
  for (Words words : good) {
    words.insert(words.begin(), {"check", program("locks.c")});
    const Finished finished = norn(words);
    EXPECT_EQ(finished.exit_code, 0) << words[2] << ' ' << words[3] << ": " << finished.output << finished.error;
  }
}

// --- Names -----------------------------------------------------------------------------------------------------------

/// In a directory of its own, with a cache of its own: nobody will ask for these programs again.
class HostileName : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    fs::current_path(scratch_.path());
    setenv("NORN_CACHE", scratch_.file("cache").c_str(), 1);
  }
  void TearDown() override {
    fs::current_path(before_);
    setenv("NORN_CACHE", cache_.c_str(), 1);
  }

 private:
  Scratch scratch_;
  fs::path before_ = fs::current_path();
  std::string cache_ = getenv("NORN_CACHE") == nullptr ? "" : getenv("NORN_CACHE");
};

// A file may have any name: it is compiled, checked and replayed, and errors about it are one line.
TEST_P(HostileName, IsANameLikeAnyOther) {
  const std::string source = std::string(GetParam()) + ".c";
  fs::copy_file(program("several_bugs.c"), source);
  const Finished checked = norn({"check", source, "--json", "summary.json", "--trace-dir", "traces"});
  EXPECT_EQ(checked.exit_code, 1) << checked.error;
  EXPECT_TRUE(contains(checked.output, "1 bug found"));
  const auto summary = nlohmann::json::parse(read_file("summary.json"), nullptr, false);
  EXPECT_TRUE(summary.is_object());
  ASSERT_TRUE(fs::exists("traces"));
  int traces = 0;
  for (const auto& entry : fs::directory_iterator("traces")) {
    ++traces;
    const Finished replayed = norn({"replay", entry.path()});
    EXPECT_EQ(replayed.exit_code, 1) << replayed.error;
  }
  EXPECT_EQ(traces, 1);
  // The command that the report offers is one for a shell.
  const std::string offer = "norn replay ";
  const std::size_t at = checked.output.find(offer);
  ASSERT_NE(at, std::string::npos);
  const std::size_t end = checked.output.find("\n\n", at);
  EXPECT_EQ(shell(checked.output.substr(at, end - at)).exit_code, 1) << checked.output.substr(at, end - at);

  fs::remove(source);
  expect_input_error(norn({"check", source}));
  expect_input_error(norn({"check", GetParam()}));
  expect_input_error(norn({"replay", source}));
  std::ofstream(source) << "int main(void) { return undeclared; }\n";
  expect_compiler_error(norn({"check", source}), "undeclared", "cannot compile");
}

INSTANTIATE_TEST_SUITE_P(All, HostileName,
                         testing::Values("two words", "it's", "\"quoted\"", "./-dash", "gr\xc3\xbc\xc3\x9f\xe2\x98\x83",
                                         "new\nline", "tab\there", "not\xffunicode", "$(exit 7)`exit 8`;exit 9",
                                         "100%s{}", "back\\slash", "./@at", "#1 on x", "a:7"),
                         [](const auto& name) { return "Number" + std::to_string(name.index); });

// --- Traces ----------------------------------------------------------------------------------------------------------

class BadTrace : public testing::Test {
 protected:
  void SetUp() override {
    const Finished finished = norn({"check", program("several_bugs.c"), "--trace-dir", scratch_.path(), "--quiet"});
    ASSERT_EQ(finished.exit_code, 1) << finished.error;
    good_ = read_file(scratch_.file("several_bugs-1.trace"));
    ASSERT_EQ(replay(good_).exit_code, 1);
  }

  Finished replay(const std::string& text) { return norn({"replay", scratch_.write("changed.trace", text)}); }

  /// The good trace with the line that begins with `name` replaced.
  std::string with(const std::string& name, const std::string& line) const {
    std::string text;
    bool found = false;
    for (const std::string& old : lines(good_)) {
      const bool here = old.starts_with(name);
      found |= here;
      text += (here ? line : old) + "\n";
    }
    EXPECT_TRUE(found) << name << " is not in\n" << good_;
    return text;
  }

  /// The good trace with one option changed.
  std::string with_option(const std::string& name, const std::string& value) const {
    const std::size_t begin = good_.find("\"" + name + "\":") + name.size() + 3;
    const std::size_t end = good_.find_first_of(",}", begin);
    return good_.substr(0, begin) + value + good_.substr(end);
  }

  Scratch scratch_;
  std::string good_;
};

TEST_F(BadTrace, IsNotThere) {
  expect_input_error(norn({"replay", "no_such_trace"}), "no_such_trace");
  expect_input_error(norn({"replay", scratch_.path()}), "directory");
  expect_input_error(norn({"replay"}), "trace");
  expect_input_error(norn({"replay", ""}));
  expect_input_error(norn({"replay", program("locks.c")}), "line 1");
}

TEST_F(BadTrace, EndsTooEarly) {
  std::string text;
  for (const std::string& line : lines(good_)) {
    expect_input_error(replay(text), "changed.trace");
    expect_input_error(replay(text + line.substr(0, line.size() / 2)), "changed.trace");
    text += line + "\n";
  }
  EXPECT_EQ(text, good_);
  EXPECT_EQ(replay(text).exit_code, 1);
}

TEST_F(BadTrace, IsSomethingElse) {
  expect_input_error(replay(with("norn-trace", "nornir-trace 1")), "line 1");
  expect_input_error(replay(with("norn-trace", "norn-trace 2")), "version 2");
  expect_input_error(replay(with("norn-trace", "norn-trace 18446744073709551617")), "version");
  expect_input_error(replay(with("norn-trace", "norn-trace")), "version");
  std::string garbage;
  for (unsigned i = 0; i < 100'000; ++i) garbage += static_cast<char>(i * i >> 3);
  expect_input_error(replay(garbage), "line 1");
  expect_input_error(replay("norn-trace 1\n" + garbage));
  expect_input_error(replay(std::string(1 << 20, '\0')));
  expect_input_error(replay("norn-trace 1\nprogram " + std::string(100'000, '[') + "\n"), "line 2");
}

TEST_F(BadTrace, HasABrokenHeader) {
  expect_input_error(replay(with("program", "program unquoted")), "line 2");
  expect_input_error(replay(with("program", "program \"open")), "line 2");
  expect_input_error(replay(with("program", "program 7")), "line 2");
  expect_input_error(replay(with("program", "remark \"no program\"")), "program");
  expect_input_error(replay(with("kind", "kind no-such-kind")), "no-such-kind");
  expect_input_error(replay(with("kind", "kind")), "kind");
  expect_input_error(replay(with("message", "message unquoted")));
  expect_input_error(replay(with("options", "options []")), "options");
  expect_input_error(replay(with("options", "options {")), "options");
  expect_input_error(replay(with("options", "options {\"max_threads\":\"many\"}")), "option");
  expect_input_error(replay(with("options", "options {\"wakeup\":7}")), "option");
}

TEST_F(BadTrace, HasNumbersOutOfRange) {
  for (const char* const value : {"0", "-1", "4000000000", "1e300", "18446744073709551615"}) {
    SCOPED_TRACE(value);
    expect_input_error(replay(with_option("max_threads", value)), "max_threads");
    expect_input_error(replay(with_option("max_steps", value)), "max_steps");
  }
  for (const char* const value : {"0", "-1", "1e300", "18446744073709551615"})
    expect_input_error(replay(with_option("max_memory", value)), "max_memory");
  expect_input_error(replay(with_option("threads", "\"no-such-value\"")), "threads");
  expect_input_error(replay(with_option("wakeup", "\"no-such-value\"")), "wakeup");
}

TEST_F(BadTrace, HasAWrongNumberOfEvents) {
  for (const char* const count :
       {"0", "1", "1000", "-1", "18446744073709551615", "18446744073709551616", "x", "", "3x"})
    expect_input_error(replay(with("events", std::string("events ") + count)), "line");
}

TEST_F(BadTrace, HasABrokenEvent) {
  expect_input_error(replay(with("1 ", "1 main/1 no.such_operation - at x on y")), "no.such_operation");
  expect_input_error(replay(with("1 ", "1 main/1 none - at x on y")), "none");
  expect_input_error(replay(with("1 ", "2 main/1 atomic.store - at x on y")), "event 1");
  expect_input_error(replay(with("1 ", "1 main/1")), "event 1");
  expect_input_error(replay(with("1 ", "1")), "event 1");
  expect_input_error(replay(with("1 ", "")), "event 1");
}

TEST_F(BadTrace, IsNotUtf8) {
  for (const auto& [name, line] :
       std::initializer_list<std::pair<const char*, const char*>>{{"1 ", "1 ma\xff\xfein/1 atomic.store - at x on y"},
                                                                  {"1 ", "1 main/1 atomic.\xc3store - at x on y"},
                                                                  {"thread", "thread main/\xe2\x98"},
                                                                  {"kind", "kind \xff"},
                                                                  {"message", "message \"\xff\""},
                                                                  {"program", "program \"\xff\""},
                                                                  {"options", "options {\"wakeup\":\"\xff\"}"}}) {
    SCOPED_TRACE(line);
    expect_input_error(replay(with(name, line)), "line");
    const std::string file = scratch_.file("changed.trace");
    expect_input_error(norn({"show", file}), "line");
    expect_input_error(norn({"show", file, "--html", scratch_.file("page.html")}), "line");
    EXPECT_FALSE(fs::exists(scratch_.file("page.html")));
  }
}

TEST_F(BadTrace, IsOfAProgramThatIsGone) {
  expect_input_error(replay(with("program", "program \"/no/such/program\"")), "/no/such/program");
  expect_input_error(replay(with("program", "program \"/bin/true\"")), "norn-c++");
  expect_input_error(replay(with("program", "program \"\"")), "program");
}

// What a trace says about threads can only be compared with what the program does.
TEST_F(BadTrace, MayDescribeAnotherProgram) {
  for (const char* const event : {"1 main/9 atomic.store - at x on y", "1 nobody atomic.store - at x on y",
                                  "1 main/1 condition.signal main/2 at x on y", "1 main/1 mutex.lock expires at x on y",
                                  "1 main/1/1/1 atomic.store - at x on y", "1 / atomic.store - at x on y"}) {
    const Finished finished = replay(with("1 ", event));
    EXPECT_EQ(finished.exit_code, 3) << event;
    EXPECT_EQ(lines(finished.error).size(), 1U) << finished.error;
    EXPECT_TRUE(contains(finished.error, "diverged: event 1 ")) << finished.error;
  }
}

}  // namespace
}  // namespace norn::test
