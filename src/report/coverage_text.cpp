#include "report/coverage_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace norn {
namespace {

/// The lines of all pairs, as far as their files can be read.
class Sources {
 public:
  explicit Sources(const std::vector<LinePair>& pairs) {
    std::map<std::string, std::set<int>> wanted;
    for (const LinePair& pair : pairs)
      for (const std::string& text : {pair.first, pair.second})
        if (const SourceLine line = source_line(text); line.number != 0) wanted[line.file].insert(line.number);
    for (const auto& [file, numbers] : wanted) lines_[file] = source_lines(file, numbers);
  }

  [[nodiscard]] std::string text(const std::string& line) const {
    const auto [name, number] = source_line(line);
    const auto file = lines_.find(name);
    if (file == lines_.end()) return {};
    const auto found = file->second.find(number);
    if (found == file->second.end()) return {};
    return found->second.substr(std::min(found->second.find_first_not_of(' '), found->second.size()));
  }

 private:
  std::map<std::string, std::map<int, std::string>> lines_;
};

}  // namespace

Share share_of(const CoverageRecord& record, const std::function<bool(const LinePair&)>& concerns) {
  const auto count = [&concerns](const std::set<LinePair>& pairs) {
    return static_cast<std::uint64_t>(std::count_if(pairs.begin(), pairs.end(), concerns));
  };
  const std::uint64_t covered = count(record.covered);
  return {covered, covered + count(record.uncovered)};
}

std::vector<LinePair> lost_pairs(const CoverageRecord& before, const CoverageRecord& now) {
  std::vector<LinePair> lost;
  std::set_difference(before.covered.begin(), before.covered.end(), now.covered.begin(), now.covered.end(),
                      std::back_inserter(lost));
  return lost;
}

std::string to_text(const Share& share, const std::string& criterion) {
  return covered_share(share.covered, share.all, printable(words_of(criterion)));
}

std::string coverage_counts(const CoverageRecord& record, const TextStyle& style) {
  const Share all{record.covered.size(), record.covered.size() + record.uncovered.size()};
  const Painter painter(style);
  std::string text = wrap(to_text(all, record.criterion), style.width, 0);
  text.pop_back();
  text = (all.covered == all.all ? painter.good(text) : painter.heading(text)) + "\n";
  text += wrap(fmt::format("{} were estimated, {} found later, {} of lines {} infeasible; {}", record.estimated(),
                           record.found_later, plural(record.infeasible, "combination"),
                           record.infeasible == 1 ? "is" : "are", plural(record.executions, "execution")),
               style.width, 2);
  return text;
}

std::string list_pairs(const std::vector<LinePair>& pairs, const TextStyle& style) {
  const Sources sources(pairs);
  const Painter painter(style);
  const std::size_t number_width = std::to_string(pairs.size()).size();
  const std::size_t indent = number_width + 4;  // "  12. "
  const std::size_t most_place = std::max<std::size_t>((style.width - indent) / 2, 8);
  std::size_t place_width = 0;
  for (const LinePair& pair : pairs)
    for (const std::string& line : {pair.first, pair.second})
      place_width = std::max(place_width, std::min(display_width(printable(line)), most_place));
  const auto show = [&](const std::string& line) {
    const std::string place = shorten(printable(line), place_width);
    const std::string source = sources.text(line);
    if (source.empty() || style.width < indent + place_width + 8) return painter.heading(place);
    return painter.heading(pad(place, place_width)) + "  " + shorten(source, style.width - indent - place_width - 2);
  };
  std::string text;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    text += fmt::format("  {:{}}. {}\n{:{}}{}\n", i + 1, number_width, show(pairs[i].first), "", indent,
                        show(pairs[i].second));
  return text;
}

}  // namespace norn
