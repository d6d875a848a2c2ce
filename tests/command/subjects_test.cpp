// What can be checked: sources, with flags, and executables of the wrappers, with arguments.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;

TEST(Arguments, AreTheSameInEveryRun) {
  const Checked checked = check(program("takes_arguments.c"), {}, {"first", "second"});
  EXPECT_EQ(checked.executions(), 2U);
  ASSERT_EQ(checked.outcomes.size(), 1U);
  EXPECT_EQ(checked.outcomes.begin()->first.second, "3 first second\n");
}

TEST(Arguments, AfterTwoDashesGoToTheProgram) {
  const Checked checked = check(program("arguments.c"), {}, {"--json", "", "a b", "--", "-x"});
  ASSERT_EQ(checked.outcomes.size(), 1U) << checked.finished.error;
  EXPECT_EQ(checked.outcomes.begin()->first.second, "--json\n\na b\n--\n-x\n");
}

TEST(Sources, CanBeSeveralInBothLanguagesWithFlags) {
  const Scratch scratch;
  const Words command = {"check",
                         program("two_parts.cpp"),
                         program("two_parts_answer.c"),
                         "--cflags",
                         "-DEXPECTED=42 -Wall",
                         "--ldflags",
                         "-lm",
                         "--trace-dir",
                         scratch.file("traces")};
  const Finished finished = norn(command);
  EXPECT_EQ(finished.exit_code, 0) << finished.output << finished.error;
  // The same with another value is another program, and the program says so with its exit code.
  Words other = command;
  other[4] = "-DEXPECTED=43";
  EXPECT_EQ(norn(other).exit_code, 1);
  Words old = command;
  old.insert(old.end(), {"--std", "c++17"});
  const Finished failed = norn(old);
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_TRUE(contains(failed.error, "static assertion failed")) << failed.error;
}

TEST(Executables, OfTheWrappersCanBeChecked) {
  const Scratch scratch;
  const std::string at = "cd '" + scratch.path() + "' && ";
  ASSERT_EQ(shell(at + "norn-cc '" + program("locks.c") + "' -o c_program").exit_code, 0);
  ASSERT_EQ(shell(at + "norn-c++ -x c++ '" + program("locks.c") + "' -o cxx_program").exit_code, 0);
  for (const char* const name : {"c_program", "cxx_program"}) {
    const Checked checked = check(scratch.file(name), {}, {"2", "2"});
    EXPECT_EQ(checked.finished.exit_code, 0) << checked.finished.error;
    EXPECT_EQ(checked.executions(), 6U);
  }
  // And without Norn they are ordinary programs.
  EXPECT_EQ(shell(at + "./c_program 3 3 && ./cxx_program 3 3").exit_code, 0);
}

TEST(Executables, OfAMakefileCanBeChecked) {
  const Scratch scratch;
  scratch.write("Makefile",
                "CFLAGS = -O2 -g\nall: demo\ndemo: main.o work.o\n\t$(CXX) $(LDFLAGS) -o $@ $^ -pthread\n"
                "main.o: main.cpp\n\t$(CXX) $(CFLAGS) -c $<\nwork.o: work.c\n\t$(CC) $(CFLAGS) -c $<\n");
  scratch.write("main.cpp", "extern \"C\" int run(void);\nint main() { return run(); }\n");
  scratch.write("work.c",
                "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                "static void* work(void* p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }\n"
                "int run(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); return pthread_join(t, 0); }\n");
  const Finished built = shell("make -C '" + scratch.path() + "' CC=norn-cc CXX=norn-c++");
  ASSERT_EQ(built.exit_code, 0) << built.output << built.error;
  EXPECT_EQ(check(scratch.file("demo")).executions(), 2U);
}

TEST(Executables, OfACMakeProjectCanBeChecked) {
  const Scratch scratch;
  scratch.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.20)\nproject(demo LANGUAGES C)\nfind_package(Threads REQUIRED)\n"
                "add_executable(demo locks.c)\ntarget_link_libraries(demo PRIVATE Threads::Threads)\n");
  fs::copy_file(program("locks.c"), scratch.file("locks.c"));
  const Finished built = shell("cd '" + scratch.path() + "' && cmake -S . -B build -DCMAKE_C_COMPILER=norn-cc " +
                               "-DCMAKE_BUILD_TYPE=Release && cmake --build build");
  ASSERT_EQ(built.exit_code, 0) << built.output << built.error;
  EXPECT_EQ(check(scratch.file("build/demo"), {}, {"3"}).executions(), 6U);
}

TEST(Cache, SparesTheSecondCompilation) {
  const Scratch scratch;
  // A compiler that notes what it is asked; the wrapper knows the family from the end of the name.
  for (const std::string driver : {"gcc", "g++"}) {
    scratch.write("noting-" + driver,
                  "#!/bin/sh\necho \"$@\" >> '" + scratch.file("asked") + "'\nexec " + driver + " \"$@\"\n");
    fs::permissions(scratch.file("noting-" + driver), fs::perms::owner_all);
  }
  const std::map<std::string, std::string> environment = {{"NORN_COMPILER", scratch.file("noting-g++")},
                                                          {"NORN_CACHE", scratch.file("cache")}};
  const auto compilations = [&] {
    std::size_t count = 0;
    for (const std::string& line : lines(read_file(scratch.file("asked")))) count += contains(line + " ", " -c ");
    return count;
  };
  const auto check_again = [&](const Words& options) {
    Words words = {"check", program("locks.c"), "--trace-dir", scratch.file("traces")};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(norn(words, environment).exit_code, 0);
  };
  check_again({});
  EXPECT_EQ(compilations(), 1U) << read_file(scratch.file("asked"));
  check_again({});
  check_again({"--wakeup", "fifo", "--", "1"});
  EXPECT_EQ(compilations(), 1U) << read_file(scratch.file("asked"));
  check_again({"--cflags", "-O2"});
  EXPECT_EQ(compilations(), 2U) << read_file(scratch.file("asked"));
}

}  // namespace
}  // namespace norn::test
