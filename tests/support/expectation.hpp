#pragma once

// Programs that say themselves what norn check makes of them, in the comment before their first line of code:
//
//   norn: pass               every behaviour is correct, and all of them are explored
//   norn: bug KIND...        there is a bug, of one of these kinds
//   norn options: OPTION...  with which norn check finds that out
//   norn expects: TEXT       what it must say about the bug
//   norn links: LIBRARY...   what the program is linked with
//   norn slow                too many runs for the slower ways to run a program

#include <string>
#include <vector>

#include "norn_check.hpp"

namespace norn::test {

struct Expectation {
  std::string verdict;
  std::vector<std::string> kinds;
  std::vector<std::string> options;
  std::string text;
  std::vector<std::string> libraries;
  bool slow = false;
};

Expectation read_expectation(const std::string& file);

/// In what a check differs from what the program says about itself; empty if in nothing.
std::string difference(const Expectation& expected, const Checked& checked);

/// The C and C++ sources in a directory, sorted, without their paths.
std::vector<std::string> sources_in(const std::string& directory);

/// The name of a source as a part of the name of a test.
std::string test_name(std::string source);

}  // namespace norn::test
