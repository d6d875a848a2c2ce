// Symbolizing addresses in shared objects built by each compiler with each version of DWARF.

#include "report/symbols.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

namespace norn {
namespace {

namespace fs = std::filesystem;

// The tests below count on the line numbers.
constexpr const char* sample = R"(struct Point { int x, y; };
struct Account { long id; Point where; long history[4]; };
extern "C" {
__attribute__((noinline)) void* here() { return __builtin_return_address(0); }
Account account;
int table[5];
Point grid[3][4];
int queue_mutex;
}
namespace bank { Account hidden; template <typename T> struct Queue { __attribute__((noinline)) void* push(T); }; }
namespace bank { namespace { struct Inner { __attribute__((always_inline)) void* inner() {
  return here();
} }; } }
static inline __attribute__((always_inline)) void* middle() {
  return bank::Inner().inner();
}
extern "C" void* outer() {
  void* result = middle();
  asm volatile("" ::: "memory");
  return result;
}
template <typename T> void* bank::Queue<T>::push(T) {
  void* result = here();
  asm volatile("" ::: "memory");
  return result;
}
extern "C" void* in_template() {
  void* result = bank::Queue<int>().push(1);
  asm volatile("" ::: "memory");
  return result;
}
extern "C" void* local_static() {
  static int calls[2];
  return calls;
}
extern "C" void* hidden() { return &bank::hidden; }
extern "C" __attribute__((noinline)) void* with_locals(void** ends, void** found) {
  Account local = account;
  int numbers[3] = {1, 2, 3};
  *ends = __builtin_dwarf_cfa();
  found[0] = &local.where.y;
  found[1] = &numbers[2];
  void* result = here();
  asm volatile("" : : "r"(&local), "r"(numbers) : "memory");
  return result;
}
)";

struct Build {
  std::string compiler, flags;
};

void PrintTo(const Build& build, std::ostream* stream) { *stream << build.compiler << ' ' << build.flags; }

std::string run_command(const std::string& command) {
  return std::system(command.c_str()) == 0 ? "" : "failed: " + command;
}

class Symbols : public testing::TestWithParam<Build> {
 protected:
  void SetUp() override {
    const auto& [compiler, flags] = GetParam();
    if (std::system(fmt::format("command -v {} > /dev/null", compiler).c_str()) != 0)
      GTEST_SKIP() << compiler << " is not installed";
    std::string name = fs::temp_directory_path() / "norn-symbols-XXXXXX";
    ASSERT_TRUE(mkdtemp(name.data()));
    directory_ = name;
    std::ofstream(directory_ / "sample.cpp") << sample;
    module_ = directory_ / "sample.so";
    ASSERT_EQ(run_command(fmt::format("cd {} && {} -std=c++17 -O1 -fno-omit-frame-pointer {} -shared -fPIC sample.cpp "
                                      "-o sample.so",
                                      name, compiler, flags)),
              "");
    library_ = dlopen(module_.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library_) << dlerror();
  }

  void TearDown() override {
    if (library_) dlclose(library_);
    if (!directory_.empty()) fs::remove_all(directory_);
  }

  std::uint64_t offset(const void* address) const {
    link_map* map = nullptr;
    dlinfo(library_, RTLD_DI_LINKMAP, &map);
    return reinterpret_cast<std::uint64_t>(address) - map->l_addr;
  }

  // What a function of the sample returns: an address.
  std::uint64_t call(const char* function) const {
    return offset(reinterpret_cast<void* (*)()>(dlsym(library_, function))());
  }

  std::string variable(const char* name, std::uint64_t distance) {
    return symbolizer_.variable(module_, offset(dlsym(library_, name)) + distance);
  }

  Symbolizer symbolizer_;
  fs::path directory_;
  std::string module_;
  void* library_ = nullptr;
};

using SymbolsWithDebugInformation = Symbols;
using SymbolsWithoutDebugInformation = Symbols;

TEST_P(SymbolsWithDebugInformation, ShowInlinedCallsInnermostFirst) {
  const auto frames = symbolizer_.frames(module_, call("outer") - 1);
  ASSERT_EQ(frames.size(), 3u);
  const std::string file = directory_ / "sample.cpp";
  EXPECT_TRUE(frames[0].function.starts_with("bank::(anonymous")) << frames[0].function;
  EXPECT_NE(frames[0].function.find("::inner"), std::string::npos) << frames[0].function;
  EXPECT_TRUE(frames[1].function.starts_with("middle")) << frames[1].function;
  EXPECT_EQ(frames[2].function, "outer");
  EXPECT_EQ(frames[0].line, 12);
  EXPECT_EQ(frames[1].line, 15);
  EXPECT_EQ(frames[2].line, 18);
  for (const Frame& frame : frames) EXPECT_EQ(frame.file, file);
  EXPECT_TRUE(frames[0].inlined && frames[1].inlined && !frames[2].inlined);
  EXPECT_GT(frames[0].column, 0);
}

TEST_P(SymbolsWithDebugInformation, ShowFilesBelowTheCurrentDirectoryRelativeToIt) {
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  const auto frames = symbolizer_.frames(module_, call("outer") - 1);
  fs::current_path(before);
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames[0].file, "sample.cpp");
}

TEST_P(SymbolsWithDebugInformation, DemangleMembersOfTemplates) {
  const auto frames = symbolizer_.frames(module_, call("in_template") - 1);
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames[0].function, "bank::Queue<int>::push(int)");
  EXPECT_EQ(frames[0].line, 23);
}

TEST_P(SymbolsWithDebugInformation, NamePartsOfGlobalObjects) {
  EXPECT_EQ(variable("queue_mutex", 0), "queue_mutex");
  EXPECT_EQ(variable("table", 0), "table[0]");
  EXPECT_EQ(variable("table", 12), "table[3]");
  EXPECT_EQ(variable("account", 0), "account.id");
  EXPECT_EQ(variable("account", 12), "account.where.y");
  EXPECT_EQ(variable("account", 24), "account.history[1]");
  EXPECT_EQ(variable("account", 26), "account.history[1]+2");
  EXPECT_EQ(variable("grid", 8 * 4 * 2 + 8 + 4), "grid[2][1].y");
  EXPECT_EQ(symbolizer_.variable(module_, call("local_static") + 4), "local_static::calls[1]");
  EXPECT_EQ(symbolizer_.variable(module_, call("hidden") + 8), "bank::hidden.where.x");
}

TEST_P(SymbolsWithDebugInformation, NameLocalVariables) {
  using Function = void*(void**, void**);
  void* end = nullptr;
  void* found[2] = {};
  const std::uint64_t code = offset(reinterpret_cast<Function*>(dlsym(library_, "with_locals"))(&end, found)) - 1;
  const auto distance = [&](const void* address) {
    return static_cast<const char*>(address) - static_cast<char*>(end);
  };
  EXPECT_EQ(symbolizer_.local(module_, code, distance(found[0])), "local.where.y");
  EXPECT_EQ(symbolizer_.local(module_, code, distance(found[1])), "numbers[2]");
  EXPECT_EQ(symbolizer_.local(module_, code, 1000), "");
  EXPECT_EQ(symbolizer_.local(module_, ~0ull, 0), "");
}

TEST_P(SymbolsWithDebugInformation, AreFastEnoughForThousands) {
  const std::uint64_t start = call("outer");
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < 20'000; ++i) {
    symbolizer_.frames(module_, start - 1);
    variable("account", 12);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(2));
}

TEST_P(SymbolsWithoutDebugInformation, ComeFromTheSymbolTable) {
  const auto frames = symbolizer_.frames(module_, call("in_template") - 1);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, "bank::Queue<int>::push(int)");
  EXPECT_EQ(frames[0].file, "");
  EXPECT_EQ(variable("account", 0), "account");
  EXPECT_EQ(variable("account", 16), "account+16");
}

INSTANTIATE_TEST_SUITE_P(Compilers, SymbolsWithDebugInformation,
                         testing::Values(Build{"g++", "-gdwarf-4"}, Build{"g++", "-gdwarf-5"},
                                         Build{"clang++", "-gdwarf-4"}, Build{"clang++", "-gdwarf-5"}));
INSTANTIATE_TEST_SUITE_P(Compilers, SymbolsWithoutDebugInformation,
                         testing::Values(Build{"g++", "-g0"}, Build{"clang++", "-g0"}));

TEST(Symbolizer, KnowsNothingOfWhatIsNotThere) {
  Symbolizer symbolizer;
  EXPECT_TRUE(symbolizer.frames("/no/such/file", 0x1000).empty());
  EXPECT_EQ(symbolizer.variable("/no/such/file", 0x1000), "");
  EXPECT_TRUE(symbolizer.frames("/etc/passwd", 0x1000).empty());
  EXPECT_TRUE(symbolizer.frames("/proc/self/exe", ~0ull).empty());
  EXPECT_EQ(symbolizer.variable("/proc/self/exe", ~0ull), "");
  EXPECT_TRUE(symbolizer.frames("", 0).empty());
}

TEST(Symbolizer, MakesNamesReadable) {
  EXPECT_EQ(readable_name("main"), "main");
  EXPECT_EQ(readable_name("_ZSt4cout@GLIBCXX_3.4"), "std::cout");
  EXPECT_EQ(readable_name("stdout@@GLIBC_2.2.5"), "stdout");
  EXPECT_EQ(readable_name("_ZN5QueueIiE4pushEi"), "Queue<int>::push(int)");
  EXPECT_EQ(readable_name("_Z1fSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE"),
            "f(std::vector<std::string>)");
}

}  // namespace
}  // namespace norn
