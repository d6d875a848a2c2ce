// Functions of the C library that access memory on the program's behalf: exactly which bytes.

#include <filesystem>

#include "exploration.hpp"

namespace norn::test {
namespace {

struct LibraryCall {
  std::string name;
  int first;  ///< byte that it accesses, from the eighth of the buffer
  int last;
  std::string text;  ///< in the buffer before
};

void PrintTo(const LibraryCall& call, std::ostream* stream) { *stream << call.name; }

class LibraryCalls : public testing::TestWithParam<LibraryCall> {};

bool races_at(const LibraryCall& call, int byte, const std::string& compiler) {
  const Checked checked = check(program("library_calls", compiler), {}, {call.name, std::to_string(byte), call.text});
  EXPECT_TRUE(checked.verdict() == "pass" || checked.verdict() == "bug") << checked.finished.error;
  return checked.verdict() == "bug" && checked.summary.at("bugs")[0].at("kind") == "data-race";
}

TEST_P(LibraryCalls, AccessTheirBytes) {
  const LibraryCall& call = GetParam();
  for (const std::string compiler : {"gcc", "clang"}) {
    SCOPED_TRACE(compiler);
    if (!std::filesystem::exists(program("library_calls", compiler))) continue;
    EXPECT_FALSE(races_at(call, call.first - 1, compiler));
    EXPECT_TRUE(races_at(call, call.first, compiler));
    EXPECT_TRUE(races_at(call, call.last, compiler));
    EXPECT_FALSE(races_at(call, call.last + 1, compiler));
  }
}

const std::vector<LibraryCall> calls = {
    {"copies", 0, 15, ""},
    {"fills", 0, 7, ""},
    {"clears", 0, 7, ""},
    {"copies_text", 0, 5, ""},
    // It looks for the end of the text that is there.
    {"adds_text", 0, 4, "ab"},
    {"prints", 0, 4, ""},
    {"compares", 0, 1, "ab"},
    {"compares_text", 0, 1, "abc"},
    // One character more than the token: the separator.
    {"splits", 0, 2, "ab cd"},
    {"splits_by_itself", 0, 2, "ab cd"},
    {"reads_number", 0, 2, "12x4"},
    {"spans", 0, 2, "abc"},
    {"scans", 0, 1, ""},
    {"scans_text", 0, 4, ""},
    {"tells_time", 8, 23, ""},
    {"tells_date", 0, 55, ""},
    {"formats_date", 0, 5, ""},
    {"reads_file", 0, 3, ""},
    {"reads_part", 0, 2, ""},
    {"writes_file", 0, 2, ""},
    {"reads_line", 0, 4, ""},
    {"scans_file", 0, 3, ""},
};

INSTANTIATE_TEST_SUITE_P(Memory, LibraryCalls, testing::ValuesIn(calls),
                         [](const auto& test) { return test.param.name; });

TEST(LibraryCalls, LeaveAloneWhatTheyDoNotAssign) { EXPECT_FALSE(races_at({"scans_in_vain", 0, 0, ""}, 0, "gcc")); }

}  // namespace
}  // namespace norn::test
