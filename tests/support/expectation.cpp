#include "expectation.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace norn::test {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

std::string join(const std::vector<std::string>& parts) {
  std::string joined;
  for (const std::string& part : parts) joined += (joined.empty() ? "" : " or ") + part;
  return joined;
}

/// What follows `label` in a line of the comment, or nothing.
std::string after(const std::string& line, const std::string& label) {
  const std::size_t found = line.find(label);
  if (found == std::string::npos) return {};
  const std::size_t begin = line.find_first_not_of(' ', found + label.size());
  return begin == std::string::npos ? std::string() : line.substr(begin);
}

}  // namespace

Expectation read_expectation(const std::string& file) {
  Expectation expected;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line) && !line.starts_with("#");) {
    if (auto said = words(after(line, "norn: ")); !said.empty()) {
      expected.verdict = said.front();
      expected.kinds.assign(said.begin() + 1, said.end());
    }
    if (auto options = words(after(line, "norn options: ")); !options.empty()) expected.options = options;
    if (auto libraries = words(after(line, "norn links: ")); !libraries.empty()) expected.libraries = libraries;
    if (auto text = after(line, "norn expects: "); !text.empty()) expected.text = text;
    if (line.ends_with("norn slow")) expected.slow = true;
  }
  return expected;
}

std::string difference(const Expectation& expected, const Checked& checked) {
  std::string found;
  const auto differs = [&found](const std::string& text) { found += text + "\n"; };
  if (checked.verdict() != expected.verdict)
    differs("the verdict is " + checked.verdict() + " instead of " + expected.verdict);
  const std::string kind = checked.first_bug();
  const bool kind_expected =
      expected.kinds.empty() ? kind.empty()
                             : std::find(expected.kinds.begin(), expected.kinds.end(), kind) != expected.kinds.end();
  if (!kind_expected) differs("the kind of the bug is '" + kind + "' instead of '" + join(expected.kinds) + "'");
  if (checked.finished.output.find(expected.text) == std::string::npos)
    differs("the report does not say '" + expected.text + "'");
  if (expected.verdict == "pass" && !checked.summary.value("complete", false)) differs("it is not complete");
  const int exit_code = expected.verdict == "bug" ? 1 : 0;
  if (checked.finished.exit_code != exit_code)
    differs("the exit code is " + std::to_string(checked.finished.exit_code) + " instead of " +
            std::to_string(exit_code));
  if (!checked.finished.error.empty()) differs("there are error messages");
  return found.empty() ? found : found + checked.finished.output + checked.finished.error;
}

std::vector<std::string> sources_in(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.is_regular_file() && entry.path().extension().string().starts_with(".c"))
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(std::string source) {
  std::replace_if(
      source.begin(), source.end(), [](char c) { return isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return source;
}

}  // namespace norn::test
