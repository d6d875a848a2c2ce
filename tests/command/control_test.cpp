// Every verdict says what it is about.

#include <gtest/gtest.h>

#include "command.hpp"

namespace norn::test {
namespace {

using nlohmann::json;

bool has(const json& list, const std::string& text) { return std::find(list.begin(), list.end(), text) != list.end(); }

TEST(Control, IsToldInEveryVerdict) {
  const Checked checked = check(program("locks.c"), {"--spurious", "1"}, {"2", "2"});
  const json& controlled = checked.summary["controlled"];
  ASSERT_TRUE(controlled.is_object()) << checked.summary;
  EXPECT_EQ(controlled["threads_max"], 3);
  EXPECT_EQ(controlled["primitives"], json::array({"mutexes"}));
  EXPECT_TRUE(has(controlled["operations"], "mutex.lock")) << controlled;
  EXPECT_EQ(controlled["program_instrumented"], true);
  EXPECT_EQ(controlled["libraries_not_instrumented"], json::array());
  EXPECT_EQ(controlled["memory_model"], "sc");
  EXPECT_EQ(controlled["bounds"], json::array({"--max-steps 100000", "--max-threads 64", "--spurious 1"}));
  const std::string& text = checked.finished.output;
  EXPECT_TRUE(contains(text, "  controlled: 3 threads; mutexes; the accesses of the program to memory\n")) << text;
  EXPECT_TRUE(contains(text, "memory model: sequentially consistent; bounds: --max-steps 100000")) << text;
}

TEST(Control, IsToldWhenThereIsABug) {
  const Checked checked = check(program("wrong_order.cpp"));
  EXPECT_EQ(checked.verdict(), "bug");
  EXPECT_EQ(checked.summary["controlled"]["primitives"], json::array({"atomics"})) << checked.summary;
}

TEST(Control, KnowsWhichLibrariesAreInstrumented) {
  const Scratch scratch;
  const std::string library = scratch.write("part.c", "int part; int get_part(void) { return part; }\n");
  const std::string user = scratch.write("user.c",
                                         "int get_seen(void); int get_blind(void);\n"
                                         "int main(void) { return get_seen() + get_blind(); }\n");
  const std::string build = "cd " + scratch.path() +
                            " && norn-cc -shared -fPIC -Dget_part=get_seen part.c -o libseen.so"
                            " && gcc -shared -fPIC -Dget_part=get_blind part.c -o libblind.so"
                            " && norn-cc user.c -o user -L. -lseen -lblind -Wl,-rpath,$PWD";
  const Finished built = shell(build);
  ASSERT_EQ(built.exit_code, 0) << built.error;
  const Checked checked = check(scratch.file("user"));
  EXPECT_EQ(checked.verdict(), "pass") << checked.summary;
  EXPECT_EQ(checked.summary["controlled"]["libraries_instrumented"], json::array({"libseen.so"}));
  EXPECT_EQ(checked.summary["controlled"]["libraries_not_instrumented"], json::array({"libblind.so"}));
  EXPECT_TRUE(contains(checked.finished.output, "libblind.so\n")) << checked.finished.output;
}

}  // namespace
}  // namespace norn::test
