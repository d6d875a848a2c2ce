#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace norn::test {

/// Compares a text with the approved one in a file below approved/, or makes it the approved one.
inline void expect_approved(const std::string& name, const std::string& text) {
  const std::filesystem::path file = std::filesystem::path(NORN_APPROVED) / name;
  if (std::getenv("NORN_APPROVE") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::ostringstream approved;
  approved << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, approved.str()) << "if this is how it should be: NORN_APPROVE=1 " << file;
}

}  // namespace norn::test
