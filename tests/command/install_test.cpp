// What `cmake --install` leaves is complete: the command works from there, and so does a project that finds it.

#include <gtest/gtest.h>

#include <filesystem>

#include "command.hpp"

namespace norn::test {
namespace {

namespace fs = std::filesystem;

class Installation : public testing::Test {
 protected:
  void SetUp() override {
    const Finished installed = shell("cmake --install '" NORN_BUILD_DIR "' --prefix '" + prefix() + "'");
    ASSERT_EQ(installed.exit_code, 0) << installed.output << installed.error;
  }

  [[nodiscard]] std::string prefix() const { return scratch_.file("prefix"); }

  Scratch scratch_;
};

TEST_F(Installation, ChecksPrograms) {
  const Finished finished =
      run({prefix() + "/bin/norn", "check", NORN_SOURCE_DIR "/examples/mailbox.c", "--trace-dir", scratch_.path()},
          {{"NORN_CACHE", scratch_.file("cache")}});
  EXPECT_EQ(finished.exit_code, 1) << finished.output << finished.error;
  EXPECT_EQ(run({prefix() + "/bin/norn", "replay", scratch_.file("mailbox-1.trace")}).exit_code, 1);
  // Nothing of the build tree is needed.
  const Finished libraries = shell("ldd '" + prefix() + "/bin/norn' '" + scratch_.file("cache") + "'/*/mailbox");
  EXPECT_FALSE(contains(libraries.output, NORN_BUILD_DIR)) << libraries.output;
  EXPECT_TRUE(contains(libraries.output, prefix())) << libraries.output;
  EXPECT_FALSE(contains(libraries.output, "not found")) << libraries.output;
}

TEST_F(Installation, HasWhatProjectsNeed) {
  for (const char* const file :
       {"bin/norn-c++", "bin/norn-cc", "lib/libnorn.so", "lib/cmake/norn/nornConfig.cmake", "lib/pkgconfig/norn.pc",
        "share/norn/shadow/semaphore", "include/norn", "share/man/man1/norn.1", "share/man/man1/norn-check.1",
        "share/man/man1/norn-c++.1", "share/man/man1/norn-cc.1", "share/bash-completion/completions/norn",
        "share/zsh/site-functions/_norn", "share/fish/vendor_completions.d/norn.fish",
        "share/doc/norn/summary.schema.json", "share/doc/norn/examples/googletest/CMakeLists.txt"})
    EXPECT_TRUE(fs::exists(prefix() + "/" + file)) << file;
}

TEST_F(Installation, IsKnownToPkgConfig) {
  const std::string command = "PKG_CONFIG_PATH='" + prefix() + "/lib/pkgconfig' pkg-config ";
  EXPECT_EQ(shell(command + "--modversion norn").output, NORN_VERSION "\n");
  scratch_.write("uses_norn.cpp", "#include <norn/explore.hpp>\nint main() { return norn::exploring(); }\n");
  const Finished built =
      shell("cd '" + scratch_.path() + "' && g++ -std=c++20 uses_norn.cpp $(" + command +
            "--cflags --libs norn) -o uses_norn && LD_LIBRARY_PATH='" + prefix() + "/lib' ./uses_norn");
  EXPECT_EQ(built.exit_code, 0) << built.error;
}

TEST_F(Installation, IsFoundByProjects) {
  scratch_.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
find_package(norn REQUIRED)
add_library(part STATIC part.c)
norn_instrument(part)
norn_add_test(NAME correct SOURCES correct.cpp LIBRARIES part STRATEGY exhaustive OPTIONS --max-seconds 60 ARGS 1 2)
norn_add_test(NAME wrong SOURCES mailbox.c EXPECT bug)
norn_add_test(NAME sampled SOURCES correct.cpp LIBRARIES part STRATEGY random OPTIONS --max-executions 10 EXPECT no-bug
              ARGS 1 2)
norn_add_test(NAME waiting SOURCES waiting.c EXPECT bug)
norn_add_test(NAME mistaken SOURCES mailbox.c)
set_tests_properties(mistaken PROPERTIES WILL_FAIL TRUE)
)");
  scratch_.write("part.c", "#include <stdatomic.h>\natomic_int value;\nint next(void) { return ++value; }\n");
  // It needs the shadow headers, an instrumented library, its arguments, and assertions in a release build.
  scratch_.write("correct.cpp", R"(#include <cassert>
#include <semaphore>
#include <thread>
extern "C" int next(void);
std::counting_semaphore<> done(0);
int main(int argc, char**) {
  bool evaluated = false;
  assert((evaluated = true));
  if (argc != 3 || !evaluated) return 1;
  std::thread thread([] {
    next();
    done.release();
  });
  next();
  done.acquire();
  thread.join();
  return next() == 3 ? 0 : 1;
}
)");
  // It must go on reading the flag, however much it is optimized, as if the wrapper had compiled it.
  scratch_.write("waiting.c", R"(#include <pthread.h>
static int flag;
static void* raise_flag(void* unused) {
  flag = 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, raise_flag, 0);
  while (!flag) {
  }
  return pthread_join(thread, 0);
}
)");
  fs::copy_file(NORN_SOURCE_DIR "/examples/mailbox.c", scratch_.file("mailbox.c"));
  const Finished built =
      shell("cd '" + scratch_.path() + "' && cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH='" +
            prefix() + "' -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ && cmake --build build --parallel 2");
  ASSERT_EQ(built.exit_code, 0) << built.output << built.error;
  const Finished tested = shell("cd '" + scratch_.file("build") + "' && ctest --output-on-failure");
  EXPECT_EQ(tested.exit_code, 0) << tested.output;
  EXPECT_TRUE(contains(tested.output, "100% tests passed, 0 tests failed out of 5")) << tested.output;
  // And without norn check it is a program like any other.
  EXPECT_EQ(shell("'" + scratch_.file("build/correct") + "' 1 2").exit_code, 0);
}

/// The projects in examples/ with test frameworks: each has tests that pass, some of them because Norn finds a bug.
class InstallationWithFramework : public Installation, public testing::WithParamInterface<std::string> {};

TEST_P(InstallationWithFramework, RunsItsTests) {
  const std::string source = prefix() + "/share/doc/norn/examples/" + GetParam();
  const Finished built =
      shell("cmake -G Ninja -S '" + source + "' -B '" + scratch_.file("build") + "' -DCMAKE_PREFIX_PATH='" + prefix() +
            "' -DCMAKE_CXX_COMPILER=g++ && cmake --build '" + scratch_.file("build") + "'");
  ASSERT_EQ(built.exit_code, 0) << built.output << built.error;
  const Finished tested = shell("ctest --test-dir '" + scratch_.file("build") + "' --verbose");
  EXPECT_EQ(tested.exit_code, 0) << tested.output;
  EXPECT_TRUE(contains(tested.output, "100% tests passed, 0 tests failed out of 4")) << tested.output;
  EXPECT_TRUE(contains(tested.output, "bug: deadlock") || contains(tested.output, "bug: exit")) << tested.output;
}

INSTANTIATE_TEST_SUITE_P(Examples, InstallationWithFramework, testing::Values("googletest", "catch2"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace norn::test
