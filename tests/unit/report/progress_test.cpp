// The line that a user sees while an exploration takes long.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/progress.hpp"

namespace norn::test {
namespace {

/// States of explorations, by what is special about them.
std::vector<std::pair<std::string, ReportedProgress>> states() {
  const ReportedEstimate rough{0, 412'000, 180'000, 950'000};
  const ReportedEstimate hopeless{0, 3.2e15, 4e7, 8e21};
  const ReportedEstimate sampled{0, 50'000, 50'000, 50'000};
  return {{"usual", {123'456, 0, 123'456, 0, 23, rough, 48'213}},
          {"begins", {1, 0, 1, 0, 4, std::nullopt, 0}},
          {"hopeless", {5'000'000, 0, -1, 0, 310, hopeless, 91'000}},
          {"gives up runs", {9'000, 1'200, 9'000, 2, 17, ReportedEstimate{0, 11'000, 9'000, 14'000}, 870}},
          {"samples", {12'000, 0, 377, 1, 0, sampled, 22'000}},
          {"takes days", {40'000, 0, 40'000, 0, 12, ReportedEstimate{0, 9e7, 5e7, 2e8}, 210}},
          {"nobody knows how much", {70'000, 0, 70'000, 0, 41, std::nullopt, 33'000}},
          {"minimises the only bug", {1'700, 0, 0, 1, 0, std::nullopt, 28'000, 1}},
          {"minimises one of several", {900, 0, 0, 3, 0, std::nullopt, 0, 2}}};
}

TEST(Progress, IsApproved) {
  std::string text;
  for (const auto& [name, state] : states()) {
    text += name + "\n";
    for (const std::size_t width : {200, 79, 39, 12}) text += "  |" + progress_text(state, width) + "|\n";
  }
  const auto file = std::filesystem::path(NORN_APPROVED) / "progress.txt";
  if (getenv("NORN_APPROVE") != nullptr) std::ofstream(file) << text;
  std::ostringstream approved;
  approved << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, approved.str()) << "if this is how it should be: NORN_APPROVE=1 " << file;
}

TEST(Progress, IsNeverWiderThanTheTerminal) {
  for (const auto& [name, state] : states())
    for (std::size_t width = 0; width < 150; ++width) EXPECT_LE(progress_text(state, width).size(), width) << name;
}

}  // namespace
}  // namespace norn::test
