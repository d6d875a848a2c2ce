// The compiler wrappers norn-cc and norn-c++, and the cache of programs compiled for `norn check`.

#include "frontend/compiler.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "support/error.hpp"

namespace norn {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Every test runs in an empty directory of its own, with an empty TMPDIR and an empty cache.
class Compiler : public testing::Test {
 protected:
  void SetUp() override {
    const char* const bin = std::getenv("NORN_BIN");
    ASSERT_TRUE(bin) << "NORN_BIN must name the directory of norn-c++";
    bin_ = fs::absolute(bin);
    before_ = fs::current_path();
    std::string name = fs::temp_directory_path() / "norn-compiler-XXXXXX";
    ASSERT_TRUE(mkdtemp(name.data()));
    directory_ = name;
    fs::current_path(directory_);
    fs::create_directory("tmp");
    setenv("TMPDIR", (directory_ / "tmp").c_str(), 1);
    setenv("NORN_CACHE", (directory_ / "cache").c_str(), 1);
    unsetenv("NORN_COMPILER");
  }

  void TearDown() override {
    EXPECT_TRUE(fs::is_empty("tmp")) << "temporary files were left behind";
    fs::current_path(before_);
    unsetenv("TMPDIR");
    unsetenv("NORN_CACHE");
    unsetenv("NORN_COMPILER");
    fs::remove_all(directory_);
  }

  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

  // Runs a shell command with the wrappers in its PATH; what it prints is in `output` afterwards.
  int shell(const std::string& command) {
    const std::string line = fmt::format("PATH='{}':$PATH; ({}) > shell.out 2>&1", bin_.string(), command);
    const int status = std::system(line.c_str());
    output_ = read("shell.out");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // A compiler that notes what it is asked to do, then does it. Its name tells the wrapper which compiler it is.
  void log_commands(const std::string& compiler) {
    for (const std::string driver : {compiler == "clang++" ? "clang" : "gcc", compiler.c_str()}) {
      write("logging-" + driver,
            fmt::format("#!/bin/sh\necho \"$@\" >> '{}/commands'\nexec {} \"$@\"\n", directory_.string(), driver));
      fs::permissions("logging-" + driver, fs::perms::owner_all);
    }
    setenv("NORN_COMPILER", (directory_ / ("logging-" + compiler)).c_str(), 1);
  }

  /// But for what asks the compiler about itself.
  std::vector<std::string> commands() const {
    std::vector<std::string> lines;
    std::ifstream stream(directory_ / "commands");
    for (std::string line; std::getline(stream, line);)
      if (line.find("-dumpfullversion") == std::string::npos) lines.push_back(line);
    return lines;
  }

  static std::string message_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return "(no error)";
  }

  fs::path bin_, before_, directory_;
  std::string output_;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(SplitWords, FollowsTheShell) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(split_words(""), Words());
  EXPECT_EQ(split_words("  -O2\t-g\n"), (Words{"-O2", "-g"}));
  EXPECT_EQ(split_words(R"(-DNAME="a b" '-I c\d' e\ f "" x"\""y)"),
            (Words{"-DNAME=a b", "-I c\\d", "e f", "", "x\"y"}));
  EXPECT_THROW(split_words("-DX='a"), InputError);
}

// --- The wrappers ----------------------------------------------------------------------------------------------------

TEST_F(Compiler, SplitsCompilingFromLinking) {
  write("a.cpp", "int f(); int main() { return f(); }\n");
  write("b.cpp", "int f() { return 0; }\n");
  for (const char* const compiler : {"g++", "clang++"}) {
    if (shell(fmt::format("command -v {}", compiler)) != 0) GTEST_SKIP() << compiler << " is not installed";
    fs::remove("commands");
    log_commands(compiler);
    ASSERT_EQ(shell("norn-c++ -Wall -Werror -O2 a.cpp b.cpp -lm -o program && ./program"), 0) << output_;
    const auto lines = commands();
    ASSERT_EQ(lines.size(), 3u);
    for (int i : {0, 1}) {
      EXPECT_TRUE(contains(lines[i], "-fsanitize=thread")) << lines[i];
      EXPECT_FALSE(contains(lines[i], " -l")) << lines[i];
      EXPECT_LT(lines[i].find(" -O"), lines[i].find("-O2")) << "the user's options must win";
    }
    EXPECT_FALSE(contains(lines[2], "-fsanitize")) << lines[2];
    EXPECT_LT(lines[2].find("-lnorn"), lines[2].find(".o"));
    EXPECT_LT(lines[2].find(".o"), lines[2].find(" -lm"));
    EXPECT_TRUE(is_instrumented("program"));
  }
}

TEST_F(Compiler, KeepsObjectsAndLibrariesInPlace) {
  write("a.cpp", "int f(); int g(); int main() { return f() + g(); }\n");
  write("f.cpp", "int f() { return 0; }\n");
  write("g.s", ".globl _Z1gv\n_Z1gv: xor %eax, %eax\nret\n.section .note.GNU-stack,\"\",@progbits\n");
  ASSERT_EQ(shell("norn-c++ -c f.cpp && ar rcs libf.a f.o && norn-c++ a.cpp g.s -L. -lf && ./a.out"), 0) << output_;
  ASSERT_EQ(shell("norn-c++ -shared -fPIC f.cpp -o libf.so && norn-c++ a.cpp g.s ./libf.so && ./a.out"), 0) << output_;
  ASSERT_EQ(shell("norn-c++ -c a.cpp && norn-c++ -r a.o f.o -o all.o && norn-c++ all.o g.s && ./a.out"), 0) << output_;
  EXPECT_TRUE(is_instrumented("a.out"));
}

TEST_F(Compiler, UnderstandsLanguagesStandardInputAndResponseFiles) {
  write("program.txt", "int main() {}\n");
  ASSERT_EQ(shell("norn-c++ -x c++ program.txt -o 1 && ./1"), 0) << output_;
  ASSERT_EQ(shell("norn-cc -xc - -o 2 < program.txt && ./2"), 0) << output_;
  ASSERT_EQ(shell("norn-c++ -xc++ -c program.txt -o p.o && norn-c++ -x c++ program.txt -x none -o 3 && ./3"), 0);
  write("arguments", "-x c++ 'program.txt'\n-o \"4 4\"\n");
  ASSERT_EQ(shell("norn-c++ @arguments && './4 4'"), 0) << output_;
  ASSERT_EQ(shell("ar rcs empty_library.a"), 0) << output_;
  std::string many = "-x c++ program.txt -o 5 -x none\n";
  for (int i = 0; i < 8'000; ++i) many += "'empty_library.a'\n";
  write("arguments", many);
  ASSERT_EQ(shell("norn-c++ @arguments && ./5"), 0) << output_;
}

TEST_F(Compiler, StopsWhereTheCompilerWouldStop) {
  write("a.cpp", "#include <semaphore>\nint answer = NORN;\n");
  EXPECT_EQ(shell("norn-c++ -std=c++20 -fsyntax-only a.cpp && norn-c++ -S a.cpp && norn-c++ -c a.cpp"), 0) << output_;
  EXPECT_TRUE(fs::exists("a.s") && fs::exists("a.o"));
  EXPECT_EQ(shell("norn-c++ -E a.cpp"), 0);
  EXPECT_TRUE(contains(output_, "answer = 1"));
  EXPECT_EQ(shell("norn-c++ -std=c++20 -M a.cpp"), 0);
  EXPECT_TRUE(contains(output_, "shadow/semaphore")) << output_;
  for (const char* const question : {"--version", "-dumpversion", "-print-search-dirs", "-v"})
    EXPECT_EQ(shell(fmt::format("norn-cc {}", question)), 0) << output_;
}

TEST_F(Compiler, NamesDependencyFilesLikeTheCompiler) {
  write("h.h", "");
  write("a.cpp", "#include \"h.h\"\nint main() {}\n");
  ASSERT_EQ(shell("norn-c++ -MMD a.cpp -o program.bin"), 0) << output_;
  EXPECT_TRUE(read("program.d").starts_with("program.bin: a.cpp h.h"));
  ASSERT_EQ(shell("norn-c++ -MMD -MF x.d -MT target a.cpp"), 0) << output_;
  EXPECT_TRUE(read("x.d").starts_with("target: a.cpp h.h"));
  ASSERT_EQ(shell("norn-c++ -MMD a.cpp"), 0) << output_;
  EXPECT_TRUE(read("a.d").starts_with("a.o: a.cpp h.h"));
}

TEST_F(Compiler, DropsOrRejectsWhatDoesNotGoTogether) {
  write("a.cpp", "int main() {}\n");
  EXPECT_EQ(shell("norn-c++ -fsanitize=thread -flto a.cpp && ./a.out"), 0) << output_;
  EXPECT_EQ(shell("norn-c++ -fsanitize=thread,undefined a.cpp && readelf -d a.out"), 0) << output_;
  EXPECT_FALSE(contains(output_, "libtsan"));
  EXPECT_TRUE(contains(output_, "libubsan"));
  EXPECT_EQ(shell("norn-c++ -static a.cpp"), 2);
  EXPECT_EQ(output_, "norn-c++: Norn needs dynamic linking: remove -static to build this program with Norn\n");
  EXPECT_EQ(shell("norn-c++ -fsanitize=address a.cpp"), 2);
  EXPECT_TRUE(contains(output_, "cannot be combined")) << output_;
  EXPECT_EQ(shell("NORN_COMPILER=no-such-compiler norn-c++ a.cpp"), 2);
  EXPECT_TRUE(contains(output_, "cannot run the compiler no-such-compiler")) << output_;
  write("bad.cpp", "int main() {\n");
  EXPECT_EQ(shell("norn-c++ bad.cpp"), 1);
  EXPECT_EQ(shell("norn-c++ missing.cpp"), 1);
}

TEST_F(Compiler, BuildsCMakeProjects) {
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(demo LANGUAGES C CXX)\nfind_package(Threads REQUIRED)\n"
        "add_library(part STATIC part.c)\nadd_executable(demo demo.cpp)\n"
        "target_link_libraries(demo PRIVATE part Threads::Threads)\n");
  write("part.c", "int part(void) { return 0; }\n");
  write("demo.cpp", "#include <thread>\nextern \"C\" int part();\nint main() { std::thread(part).join(); }\n");
  ASSERT_EQ(shell("CC=norn-cc CXX=norn-c++ cmake -S . -B build && cmake --build build && build/demo"), 0) << output_;
  EXPECT_TRUE(is_instrumented("build/demo"));
}

TEST_F(Compiler, ReplacesTheSlowHeadersOfTheStandardLibrary) {
  write("a.cpp", R"(#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <latch>
#include <memory>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>
#include <version>
static_assert(__cpp_lib_semaphore > 0 && __cpp_lib_barrier > 0 && __cpp_lib_latch > 0 && __cpp_lib_atomic_wait > 0);
constinit std::binary_semaphore turn{0};
int main() {
  using namespace std::chrono_literals;
  std::atomic<int> flag{0};
  std::atomic<std::shared_ptr<int>> pointer;
  std::latch latch(2);
  int phases = 0;
  auto count = [&]() noexcept { ++phases; };
  std::barrier barrier(3, count);
  std::jthread first([&] {
    flag = 1;
    flag.notify_all();
    turn.release();
    latch.count_down();
    barrier.arrive_and_drop();
  });
  std::jthread second([&](std::stop_token) {
    latch.arrive_and_wait();
    for (int i = 0; i < 10; ++i) barrier.arrive_and_wait();
  });
  flag.wait(0);
  turn.acquire();
  assert(!turn.try_acquire() && !turn.try_acquire_for(1ms));
  latch.wait();
  assert(latch.try_wait());
  for (int i = 0; i < 10; ++i) {
    barrier.wait(barrier.arrive());
    assert(phases >= i + 1);
  }
})");
  for (const char* const compiler : {"g++", "clang++"}) {
    if (shell(fmt::format("command -v {}", compiler)) != 0) GTEST_SKIP() << compiler << " is not installed";
    EXPECT_EQ(shell(fmt::format(
                  "NORN_COMPILER={} norn-c++ -std=c++20 -Wall -Wextra -Werror a.cpp && timeout 20 ./a.out", compiler)),
              0)
        << compiler << '\n'
        << output_;
  }
}

TEST_F(Compiler, KeepsTheNamesOfFunctionsThatAreWatched) {
  const std::string program =
      "#include <stdio.h>\n#include <string.h>\nchar a[9], b[9];\nunsigned long n;\n"
      "int main(void) { memcpy(a, b, n); return sprintf(a, \"%d\", 1); }\n";
  write("a.c", program);
  write("b.c", "#define _FORTIFY_SOURCE 2\n" + program);
  for (const char* const compiler : {"g++", "clang++"}) {
    if (shell(fmt::format("command -v {}", compiler)) != 0) continue;
    for (const char* const flags : {"-D_FORTIFY_SOURCE=2 a.c", "-Wp,-D_FORTIFY_SOURCE=2 a.c", "b.c"}) {
      const std::string compile = fmt::format("NORN_COMPILER={} norn-cc -O2 -c -o a.o {}", compiler, flags);
      ASSERT_EQ(shell(compile + " && nm -u a.o"), 0) << output_;
      EXPECT_TRUE(contains(output_, " sprintf") && !contains(output_, "_chk")) << compile << '\n' << output_;
    }
  }
}

TEST_F(Compiler, CallsWhatGccWouldPutInPlace) {
  write("a.cpp", R"(#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <utility>
#if __cplusplus >= 201703L
#include <string_view>
static_assert(std::string_view("abc") == "abc" && std::string_view("abc") < "abd", "");
static_assert(std::string_view("abc").find("bc") == 1 && std::char_traits<char>::length("ab") == 2, "");
#endif
#if __cplusplus >= 202002L
constexpr bool compares() {
  std::array<char, 24> one{}, other{};
  one.fill(3);
  std::copy(one.begin(), one.end(), other.begin());
  return one == other && std::equal(one.begin(), one.end(), other.begin());
}
static_assert(compares());
#endif
static_assert(__builtin_strlen("abc") == 3 && __builtin_memcmp("abc", "abd", 3) < 0, "");
static_assert(noexcept(__builtin_memcmp("a", "a", 1)), "");
std::array<char, 24> a, b;
std::bitset<192> bits;
int main() {
  std::fill_n(a.data(), 24, char(1));
  std::copy(a.begin(), a.end(), b.begin());
  __builtin_memcpy(&a, b.data(), sizeof(std::array<char, 24>));
  bits.reset();
  return a == b && __builtin_strlen("abc") == 3 ? 0 : 1;
})");
  for (const char* const standard : {"c++11", "c++14", "c++17", "c++20", "c++23"}) {
    for (const char* const optimization : {"-O0", "-O1", "-O2", "-Os"}) {
      const std::string flags = fmt::format("-std={} {} -Wall -Wextra -Wpedantic -Werror", standard, optimization);
      ASSERT_EQ(shell(fmt::format("norn-c++ {} -c a.cpp && norn-c++ a.o && ./a.out && nm -u a.o", flags)), 0)
          << output_;
      for (const char* const function : {"memcpy", "memmove", "memset", "memcmp"})
        EXPECT_TRUE(contains(output_, fmt::format(" {}\n", function))) << flags << '\n' << output_;
    }
  }
  write("a.c", R"(#include <string.h>
static unsigned long length = __builtin_strlen("abc");
enum { LENGTH = __builtin_strlen("abc") };
char a[24], b[24];
int main(void) {
  __builtin_memcpy(a, b, sizeof a);
  return length == LENGTH && __builtin_memcmp(a, b, sizeof a) == 0 ? 0 : 1;
})");
  for (const char* const flags : {"-std=gnu11 -O2 -Wall -Wextra -Werror", "-std=gnu17 -O0"}) {
    ASSERT_EQ(shell(fmt::format("norn-cc {} -c a.c && norn-cc a.o && ./a.out && nm -u a.o", flags)), 0) << output_;
    EXPECT_TRUE(contains(output_, " memcpy\n") && contains(output_, " memcmp\n")) << output_;
  }
}

// --- Compiling for `norn check` --------------------------------------------------------------------------------------

TEST_F(Compiler, CachesWhatItCompiled) {
  write("h.h", "#define VALUE 0\n");
  write("a.cpp", "#include \"h.h\"\nint f(); int main() { return VALUE + f(); }\n");
  write("b.cpp", "int f() { return 0; }\n");
  const CompileRequest request = {.sources = {"a.cpp", "b.cpp"}};
  const Compiled first = compile(request);
  EXPECT_FALSE(first.cached);
  EXPECT_TRUE(first.executable.is_absolute() && first.executable.filename() == "a");
  EXPECT_EQ(shell(first.executable), 0);
  require_executable(first.executable);
  EXPECT_TRUE(compile(request).cached);
  EXPECT_EQ(compile(request).executable, first.executable);

  EXPECT_FALSE(compile({.sources = {"a.cpp", "b.cpp"}, .cflags = "-O2 -DX='1 2'"}).cached);
  EXPECT_FALSE(compile({.sources = {"a.cpp", "b.cpp"}, .ldflags = "-lm"}).cached);
  EXPECT_FALSE(compile({.sources = {"a.cpp", "b.cpp"}, .standard = "c++17"}).cached);
  write("h.h", "#define VALUE 3\n");
  const Compiled changed = compile(request);
  EXPECT_FALSE(changed.cached);
  EXPECT_EQ(shell(changed.executable), 3);
  EXPECT_TRUE(compile(request).cached);
}

TEST_F(Compiler, CompilesCWithTheCCompiler) {
  write("a.cpp", "extern \"C\" int f(int); int main() { return f(1) + (__cplusplus < 202002L); }\n");
  write("f.c", "int f(int new) { return new - 1; }\n");
  EXPECT_EQ(shell(compile({.sources = {"a.cpp", "f.c"}}).executable), 0);
  write("main.c", "int f(int); int main(void) { int class = 1; return f(class); }\n");
  EXPECT_EQ(shell(compile({.sources = {"main.c", "f.c"}}).executable), 0);
}

TEST_F(Compiler, SaysWhatIsWrongWithSources) {
  write("bad.cpp", "int main() { return undeclared; }\n");
  write("worse.cpp", "#include \"missing.h\"\n");
  write("unlinked.cpp", "int f(); int main() { return f(); }\n");
  write("notes.txt", "");
  testing::internal::CaptureStderr();
  EXPECT_EQ(message_of([] { compile({.sources = {"gone.cpp"}}); }), "there is no file gone.cpp");
  EXPECT_EQ(message_of([] { compile({.sources = {"notes.txt"}}); }), "notes.txt is not a C or C++ source");
  EXPECT_EQ(message_of([] { compile({.sources = {"bad.cpp"}}); }),
            "cannot compile bad.cpp: the compiler's messages are above");
  EXPECT_EQ(message_of([] { compile({.sources = {"worse.cpp"}}); }),
            "cannot compile worse.cpp: the compiler's messages are above");
  EXPECT_EQ(message_of([] { compile({.sources = {"unlinked.cpp"}}); }),
            "cannot link unlinked: the linker's messages are above");
  EXPECT_EQ(message_of([] { compile({.sources = {"bad.cpp"}, .cflags = "\"-O2"}); }),
            "a quote is not closed in: \"-O2");
  const std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(messages, "undeclared") && contains(messages, "missing.h")) << messages;
}

TEST_F(Compiler, CompilesConcurrently) {
  write("a.cpp", "int main() {}\n");
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(fork());
    if (children.back() == 0) {
      const bool good = message_of([] { compile({.sources = {"a.cpp"}}); }) == "(no error)";
      _exit(good ? 0 : 1);
    }
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(compile({.sources = {"a.cpp"}}).cached);
  EXPECT_EQ(std::distance(fs::directory_iterator("cache"), fs::directory_iterator()), 1);
}

TEST_F(Compiler, KnowsWhichFilesAProgramIsMadeOf) {
  const auto names = [](const std::vector<SourceFile>& files) {
    std::vector<fs::path> list;
    for (const SourceFile& file : files) list.push_back(file.path);
    return list;
  };
  write("plain.h", "#define VALUE 0\n");
  write("c.cpp", "#include <vector>\n#include \"./plain.h\"\nint main() { return VALUE; }\n");
  const Compiled compiled = compile({.sources = {"c.cpp"}});
  EXPECT_EQ(names(compiled.sources), (std::vector<fs::path>{directory_ / "plain.h", directory_ / "c.cpp"}));
  for (const SourceFile& file : compiled.sources) EXPECT_EQ(file.hash, content_hash(file.path));
  write("plain.h", "#define VALUE 1\n");
  EXPECT_NE(compiled.sources[0].hash, content_hash("plain.h"));
}

TEST_F(Compiler, DoesWithoutACacheThatCannotBeWritten) {
  write("a.cpp", "int main() {}\n");
  setenv("NORN_CACHE", "/dev/null/cache", 1);
  const Compiled compiled = compile({.sources = {"a.cpp"}});
  EXPECT_EQ(shell(compiled.executable), 0);
  fs::remove_all(compiled.executable.parent_path().parent_path());
}

TEST_F(Compiler, SaysWhatIsWrongWithPrograms) {
  const auto complaint = [](const char* file) { return message_of([&] { require_executable(file); }); };
  write("text", "#!/bin/sh\n");
  fs::permissions("text", fs::perms::owner_all);
  write("a.cpp", "int main() {}\n");
  ASSERT_EQ(shell("g++ a.cpp -o native && norn-c++ a.cpp -o good && norn-c++ -c a.cpp && cp good locked"), 0);
  fs::permissions("locked", fs::perms::owner_read);
  EXPECT_EQ(complaint("gone"), "there is no file gone");
  EXPECT_EQ(complaint("tmp"), "tmp is a directory; give the program in it, or its sources");
  EXPECT_EQ(complaint("text"), "text is neither an executable program nor C or C++ source");
  EXPECT_EQ(complaint("a.o"), "a.o is neither an executable program nor C or C++ source");
  EXPECT_EQ(complaint("locked"), "locked is neither an executable program nor C or C++ source");
  EXPECT_EQ(complaint("native"),
            "native was not built with norn-c++; rebuild it with CXX=norn-c++ or give norn check its sources");
  EXPECT_EQ(complaint("good"), "(no error)");
  ASSERT_EQ(shell("cp good good.c && ln -s loop loop && mkfifo pipe.c"), 0);
  EXPECT_FALSE(is_source("good.c"));
  EXPECT_EQ(complaint("good.c"), "(no error)");
  EXPECT_EQ(complaint("loop"), "cannot look at loop: Too many levels of symbolic links");
  EXPECT_EQ(message_of([] { compile({.sources = {"pipe.c"}}); }), "pipe.c is no file with contents");
  EXPECT_EQ(message_of([] { compile({.sources = {"a.cpp"}, .cflags = "-c"}); }),
            "the compiler made no program of a.cpp (see --cflags, --ldflags and NORN_COMPILER)");
  EXPECT_FALSE(is_instrumented("native") || is_instrumented("gone") || is_instrumented("text"));
}

}  // namespace
}  // namespace norn
