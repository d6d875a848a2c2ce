#include "report/html_coverage.hpp"

#include "report/coverage_text.hpp"
#include "report/source_lines.hpp"
#include "report/style.hpp"

namespace norn {
namespace {

using nlohmann::json;

constexpr int lines_beside = 3;
constexpr std::size_t longest_covered_line = 300;

class CoverageWriter {
 public:
  json write(const CoverageRecord& record) {
    for (const LinePair& pair : record.covered) add(pair, true);
    for (const LinePair& pair : most_promising(record)) add(pair, false);
    const Share share{record.covered.size(), record.covered.size() + record.uncovered.size()};
    return {{"criterion", printable(words_of(record.criterion))},
            {"headline", to_text(share, record.criterion)},
            {"covered", share.covered},
            {"uncovered", record.uncovered.size()},
            {"estimated", record.estimated()},
            {"found_later", record.found_later},
            {"infeasible", record.infeasible},
            {"executions", record.executions},
            {"files", files()},
            {"pairs", pairs_}};
  }

 private:
  struct File {
    std::string name;
    std::set<int> lines;
  };

  std::size_t number_of(const SourceLine& line) {
    const auto [entry, is_new] = numbers_.try_emplace(line.file, files_.size());
    if (is_new) files_.push_back({line.file, {}});
    files_[entry->second].lines.insert(line.number);
    return entry->second;
  }

  void add(const LinePair& pair, bool covered) {
    const SourceLine first = source_line(pair.first);
    const SourceLine second = source_line(pair.second);
    pairs_.push_back({number_of(first), first.number, number_of(second), second.number, covered});
  }

  [[nodiscard]] json files() const {
    json list = json::array();
    for (const File& file : files_) {
      std::set<int> wanted;
      for (const int line : file.lines)
        for (int near = line - lines_beside; line != 0 && near <= line + lines_beside; ++near) wanted.insert(near);
      json lines = json::array();
      for (const auto& [number, text] : source_lines(file.name, wanted))
        lines.push_back({number, shorten(text, longest_covered_line)});
      list.push_back({{"name", printable(file.name)}, {"lines", lines}});
    }
    return list;
  }

  std::map<std::string, std::size_t> numbers_;
  std::vector<File> files_;
  json pairs_ = json::array();
};

}  // namespace

json html_coverage(const CoverageRecord& record) { return CoverageWriter().write(record); }

}  // namespace norn
