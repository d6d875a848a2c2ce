#include "cli/show_coverage.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include "cli/files.hpp"
#include "report/coverage_text.hpp"
#include "report/html.hpp"
#include "support/error.hpp"

namespace norn {
namespace {

constexpr int enough = 0;
constexpr int dropped = 1;

std::string read_all(const std::string& file) {
  std::ostringstream text;
  if (file == "-") {
    text << std::cin.rdbuf();
  } else {
    std::ifstream stream(file);
    if (!stream) throw InputError(fmt::format("cannot read {}: {}", file, std::strerror(errno)));
    if (std::filesystem::is_directory(file)) throw InputError(fmt::format("cannot read {}: it is a directory", file));
    text << stream.rdbuf();
  }
  return text.str();
}

std::optional<CoverageRecord> read_baseline(const ShowCoverageOptions& options, const CoverageRecord& now) {
  if (options.baseline.empty()) return {};
  CoverageRecord before = read_coverage(options.baseline);
  if (before.criterion != now.criterion)
    throw InputError(fmt::format("{} is about {}, but {} about {}", options.baseline, before.criterion, options.file,
                                 now.criterion));
  return before;
}

bool any_pair(const LinePair&) { return true; }

/// What is said about a part of the pairs, and whether all is well with it.
struct Judgement {
  std::string text;
  bool is_enough = true;
};

std::string list(const std::string& heading, const std::vector<LinePair>& pairs, const TextStyle& style) {
  return "\n" + wrap(heading, style.width, 0) + "\n" + list_pairs(pairs, style);
}

std::string list_uncovered(const CoverageRecord& record, const std::function<bool(const LinePair&)>& concerns,
                           const TextStyle& style) {
  std::vector<LinePair> pairs = most_promising(record);
  std::erase_if(pairs, [&concerns](const LinePair& pair) { return !concerns(pair); });
  if (pairs.empty()) return {};
  return list(pairs.size() == 1 ? "1 pair is not covered:"
                                : fmt::format("{} pairs are not covered, the most promising first:", pairs.size()),
              pairs, style);
}

/// The lines are the same as before: so should be the pairs.
Judgement compare(const CoverageRecord& now, const CoverageRecord& before, const TextStyle& style) {
  const std::vector<LinePair> lost = lost_pairs(before, now);
  if (lost.empty()) return {"\n" + wrap("Everything that the baseline covers is covered.", style.width, 0)};
  return {list(fmt::format("{} covered in the baseline and {} not now:",
                           lost.size() == 1 ? "1 pair is" : fmt::format("{} pairs are", lost.size()),
                           lost.size() == 1 ? "is" : "are"),
               lost, style),
          false};
}

/// Changed lines should be covered as well as those that they replace, or if they replace none, as well as all.
Judgement judge_changes(const CoverageRecord& now, const std::optional<CoverageRecord>& before,
                        const ChangedLines& changed, const TextStyle& style) {
  const auto is_new = [&changed](const LinePair& pair) {
    return changed.is_there(source_line(pair.first)) || changed.is_there(source_line(pair.second));
  };
  const auto is_old = [&changed](const LinePair& pair) {
    return changed.was_there(source_line(pair.first)) || changed.was_there(source_line(pair.second));
  };
  const Share share = share_of(now, is_new);
  std::string text = fmt::format("On changed lines, {}", to_text(share, now.criterion));
  bool is_enough = true;
  if (before) {
    const Share old = share_of(*before, is_old);
    const bool replaces = old.all != 0;
    const Share wanted = replaces ? old : share_of(*before, any_pair);
    is_enough = !share.is_less_than(wanted);
    text += fmt::format("; {} it was {} of {}{}", replaces ? "before the change" : "in all of the baseline",
                        wanted.covered, wanted.all, is_enough ? "" : ", which is more");
  }
  return {"\n" + wrap(text + ".", style.width, 0) + list_uncovered(now, is_new, style), is_enough};
}

}  // namespace

int show_coverage(const ShowCoverageOptions& options) {
  require_writable(options.html_file);
  const CoverageRecord now = read_coverage(options.file);
  const std::optional<CoverageRecord> before = read_baseline(options, now);
  const TextStyle style = style_of_output(options.no_color);
  Judgement judgement;
  if (!options.changed_file.empty())
    judgement =
        judge_changes(now, before, ChangedLines::parse(read_all(options.changed_file), options.changed_file), style);
  else if (before)
    judgement = compare(now, *before, style);
  else
    judgement.text = list_uncovered(now, any_pair, style);
  if (options.html_file != "-") write_file("-", coverage_counts(now, style) + judgement.text);
  if (!options.html_file.empty()) write_file(options.html_file, to_html(options.file, now));
  return judgement.is_enough ? enough : dropped;
}

}  // namespace norn
