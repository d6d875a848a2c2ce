#include "report/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "report/replace_file.hpp"
#include "support/complain.hpp"
#include "support/error.hpp"

namespace norn {

using nlohmann::json;

namespace {

constexpr const char* kind_of_file = "norn-coverage";

std::set<LinePair> pairs_from(const json& list) {
  std::set<LinePair> pairs;
  for (const json& pair : list.get_ref<const json::array_t&>())
    pairs.emplace(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  return pairs;
}

/// A number that cannot be one of executions or pairs would be read as another one that can.
std::uint64_t count_from(const json& number) { return number.get_ref<const json::number_unsigned_t&>(); }

json to_json(const std::set<LinePair>& pairs) {
  json list = json::array();
  for (const auto& [first, second] : pairs) list.push_back({first, second});
  return list;
}

}  // namespace

json LineNumbers::answer(const json& question) {
  if (!names_) names_ = std::make_unique<Names>(question.at("modules"));
  json lines = json::array();
  for (const json& address : question.at("asks")) {
    const Place place = names_->place(json::array(), address.get<std::uint64_t>());
    lines.push_back(place.file.empty() ? first - 1 : number(place.text()));
  }
  return lines;
}

std::uint32_t LineNumbers::number(const std::string& line) {
  const auto [entry, is_new] = numbers_.try_emplace(line, static_cast<std::uint32_t>(lines_.size()) + first);
  if (is_new) lines_.push_back(line);
  return entry->second;
}

std::string LineNumbers::name(std::uint32_t number) const {
  if (number == first - 1) return "library";
  return number >= first && number - first < lines_.size() ? lines_[number - first] : "?";
}

std::string LineNumbers::name_all(const std::string& text) const {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] != '#') continue;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(&text[i + 1], text.data() + text.size(), number);
    std::string line = name(number);
    std::replace(line.begin(), line.end(), ' ', '_');
    result += line;
    i = static_cast<std::size_t>(end - text.data()) - 1;
  }
  return result;
}

json named_coverage(const json& sent, const LineNumbers& lines) {
  json result = sent;
  if (!result.contains("requirements")) return json::object();
  json& list = result["requirements"] = json::array();
  for (const json& one : sent.at("requirements")) {
    const bool before = one.at(5);
    list.push_back({{"first", lines.name(one.at(0))},
                    {"second", lines.name(one.at(1))},
                    {"estimated", one.at(2)},
                    {"covered", before || one.at(3) != 0},
                    {"covered_in", one.at(3)},
                    {"executions", one.at(4)}});
  }
  return result;
}

void CoverageRecord::add(const json& coverage, std::uint64_t more_executions) {
  criterion = coverage.at("criterion");
  executions += more_executions;
  for (const json& one : coverage.at("requirements"))
    (one.at("covered").get<bool>() ? covered : uncovered)
        .emplace(one.at("first").get<std::string>(), one.at("second").get<std::string>());
  found_later += coverage.at("found_later").get<std::uint64_t>();
  infeasible = coverage.at("infeasible");
  for (const LinePair& pair : covered) uncovered.erase(pair);
}

CoverageRecord read_coverage(const std::string& file) {
  CoverageRecord record;
  std::ifstream stream(file);
  if (!stream) throw InputError(fmt::format("cannot read the coverage file {}: {}", file, std::strerror(errno)));
  try {
    const json content = json::parse(stream);
    if (content.at("file") != kind_of_file) throw InputError("");
    record.criterion = content.at("criterion");
    record.executions = count_from(content.at("executions"));
    record.covered = pairs_from(content.at("covered"));
    record.uncovered = pairs_from(content.at("uncovered"));
    if (content.contains("found_later")) record.found_later = count_from(content.at("found_later"));
    if (content.contains("infeasible")) record.infeasible = count_from(content.at("infeasible"));
  } catch (const std::exception&) {
    throw InputError(fmt::format("{} is no coverage file of Norn's, or it is damaged", file));
  }
  return record;
}

void write_coverage(const std::string& file, const CoverageRecord& record) {
  const json content = {{"file", kind_of_file},
                        {"criterion", record.criterion},
                        {"executions", record.executions},
                        {"found_later", record.found_later},
                        {"infeasible", record.infeasible},
                        {"covered", to_json(record.covered)},
                        {"uncovered", to_json(record.uncovered)}};
  const std::string text = content.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  if (!replace_file(file, text, Safety::from_full_disks)) complain("norn: cannot write {} (is the disk full?)\n", file);
}

std::string words_of(std::string criterion) {
  std::replace(criterion.begin(), criterion.end(), '-', ' ');
  return criterion;
}

std::vector<LinePair> most_promising(const CoverageRecord& record) {
  std::map<std::string, unsigned> reached;
  for (const auto& [first, second] : record.covered) {
    ++reached[first];
    ++reached[second];
  }
  std::vector<LinePair> pairs(record.uncovered.begin(), record.uncovered.end());
  const auto promise = [&](const LinePair& pair) { return std::min(reached[pair.first], reached[pair.second]); };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const LinePair& one, const LinePair& other) { return promise(one) > promise(other); });
  return pairs;
}

}  // namespace norn
