// Functions of the C library, and atomic operations, that access memory on the program's behalf: exactly which bytes.

#include <filesystem>

#include "exploration.hpp"

namespace norn::test {
namespace {

struct LibraryCall {
  std::string name;
  int first;  ///< byte that it accesses, from the eighth of the buffer
  int last;
  std::string text;  ///< in the buffer before
  std::string program = "library_calls";
};

void PrintTo(const LibraryCall& call, std::ostream* stream) { *stream << call.name; }

class LibraryCalls : public testing::TestWithParam<LibraryCall> {};

bool races_at(const LibraryCall& call, int byte, const std::string& compiler) {
  const Checked checked = check(program(call.program, compiler), {}, {call.name, std::to_string(byte), call.text});
  EXPECT_TRUE(checked.verdict() == "pass" || checked.verdict() == "bug") << checked.finished.error;
  return checked.verdict() == "bug" && checked.summary.at("bugs")[0].at("kind") == "data-race";
}

TEST_P(LibraryCalls, AccessTheirBytes) {
  const LibraryCall& call = GetParam();
  for (const std::string compiler : {"gcc", "clang"}) {
    SCOPED_TRACE(compiler);
    if (!std::filesystem::exists(program(call.program, compiler))) continue;
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

const std::string texts = "library_texts";

// A wide character has four bytes.
const std::vector<LibraryCall> calls_on_texts = {
    {"finds_one_of", 0, 2, "abcd", texts},
    {"takes_part", 0, 2, "ab,cd", texts},
    {"copies_start", 0, 2, "abcd", texts},
    {"copies_until", 0, 2, "", texts},
    {"copies_padded", 0, 7, "", texts},
    {"finds_block", 0, 3, "abcdef", texts},
    {"finds_last_byte", 2, 7, "abcd", texts},
    {"finds_byte", 0, 2, "abcd", texts},
    {"finds_byte_or_end", 0, 4, "abcd", texts},
    {"finds_any_case", 0, 4, "abcd", texts},
    {"collates", 0, 4, "abcd", texts},
    {"transforms", 0, 4, "", texts},
    {"compares_versions", 0, 4, "abcd", texts},
    {"changes_pairs", 0, 3, "", texts},
    {"forgets", 0, 7, "", texts},
    {"explains_error", 0, 8, "", texts},
    {"measures_wide", 0, 7, "a", texts},
    {"copies_wide", 0, 19, "", texts},
    {"copies_wide_padded", 0, 23, "", texts},
    {"adds_wide", 0, 23, "a", texts},
    {"compares_wide", 0, 7, "a", texts},
    {"finds_wide", 0, 7, "a", texts},
    {"copies_wide_block", 0, 11, "", texts},
    {"moves_wide_block", 0, 11, "", texts},
    {"fills_wide_block", 0, 11, "", texts},
    {"compares_wide_block", 0, 7, "a", texts},
    {"prints_wide", 0, 15, "", texts},
    {"widens", 0, 19, "", texts},
    {"narrows", 0, 4, "", texts},
    {"prints_new", 0, 4, "abcd", texts},
    {"prints_to_file", 0, 4, "abcd", texts},
    {"writes_parts", 0, 2, "abcd", texts},
    {"sends", 0, 2, "abcd", texts},
    {"resolves", 0, 1, "", texts},
    {"reads_link", 0, 0, "", texts},
    {"tells_status", 0, 4, "abcd", texts},
    {"opens", 0, 4, "abcd", texts},
    {"removes", 0, 4, "abcd", texts},
    {"asks_access", 0, 4, "abcd", texts},
    {"asks_environment", 0, 4, "abcd", texts},
    {"formats_clock", 0, 25, "", texts},
    {"draws", 0, 3, "", texts},
    {"draws_bytes", 0, 4, "", texts},
};

const std::vector<LibraryCall> atomic_operations = {
    {"expects_in_vain", 0, 3, ""}, {"expects", 0, 3, ""},          {"loads_large", 0, 23, ""},
    {"stores_large", 0, 23, ""},   {"exchanges_large", 0, 23, ""}, {"gets_large", 0, 23, ""},
    {"expects_large", 0, 23, ""},  {"desires_large", 0, 23, ""},
};

INSTANTIATE_TEST_SUITE_P(AtomicOperands, LibraryCalls, testing::ValuesIn(atomic_operations),
                         [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(Memory, LibraryCalls, testing::ValuesIn(calls),
                         [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(Texts, LibraryCalls, testing::ValuesIn(calls_on_texts),
                         [](const auto& test) { return test.param.name; });

TEST(LibraryCalls, LeaveAloneWhatTheyDoNotAssign) { EXPECT_FALSE(races_at({"scans_in_vain", 0, 0, ""}, 0, "gcc")); }

}  // namespace
}  // namespace norn::test
