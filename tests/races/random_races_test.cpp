// Random programs with plain accesses: the pairs of places that Norn says race must be exactly those that a naive
// reference finds.
//
//   random_races --interpreter FILE [--count N] [--seed S]    Norn against the reference
//   random_races --interpreter FILE --program TEXT            one program, with both sets
//   random_races --interpreter FILE --self-check              a wrong reference must be noticed

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "../random/process.hpp"
#include "reference.hpp"

namespace {

using namespace random_races;
using nlohmann::json;

constexpr unsigned first_line = 1000;  // of operations in the interpreter

struct Options {
  std::string norn = "norn";
  std::string interpreter;
  std::string more;
  std::string program;
  unsigned count = 100;
  unsigned at_least = 0;
  std::uint64_t seed = 1;
  std::uint64_t max_interleavings = 20'000;
  bool self_check = false;
};

Site site_of(const json& access) {
  const std::string location = access.at("location");
  return static_cast<Site>(std::stoul(location.substr(location.rfind(':') + 1))) - first_line;
}

/// What norn says; nothing if it says something else than races, or did not see everything.
class Norn {
 public:
  explicit Norn(const Options& options) : options_(options) {
    std::string name = (std::filesystem::temp_directory_path() / "random_races.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create a temporary directory");
    directory_ = name;
  }
  Norn(const Norn&) = delete;
  Norn& operator=(const Norn&) = delete;
  ~Norn() { std::filesystem::remove_all(directory_); }

  std::optional<SitePairs> racing_sites(const Program& program) const {
    const std::string summary_file = directory_ / "summary.json";
    std::vector<std::string> words = {
        options_.norn, "check", options_.interpreter, "--keep-going", "--strategy", "exhaustive", "--quiet",
        "--minimise",  "0",     "--trace-dir",        directory_,     "--json",     summary_file};
    std::istringstream more(options_.more);
    for (std::string word; more >> word;) words.push_back(word);
    words.insert(words.end(), {"--", to_text(program)});
    random_programs::run_process(words, std::chrono::seconds(120), directory_ / "stderr");
    std::ifstream file(summary_file);
    const json summary = json::parse(file, nullptr, false);
    if (summary.is_discarded() || !summary.value("complete", false)) return std::nullopt;
    SitePairs pairs;
    for (const json& bug : summary.at("bugs")) {
      if (bug.at("kind") == "deadlock") continue;  // semaphores may run out
      if (bug.at("kind") != "data-race") return std::nullopt;
      pairs.insert(std::minmax(site_of(bug.at("accesses").at(0)), site_of(bug.at("accesses").at(1))));
    }
    return pairs;
  }

 private:
  const Options& options_;
  std::filesystem::path directory_;
};

std::string to_text(const std::optional<SitePairs>& pairs) {
  if (!pairs) return "no usable answer";
  std::string text;
  const auto name = [](Site site) { return fmt::format("{}.{}", site / max_operations, site % max_operations); };
  for (const auto& [one, other] : *pairs) text += fmt::format(" {}-{}", name(one), name(other));
  return text;
}

enum class Result { agree, differ, too_large };

Result compare(const Norn& norn, const Options& options, const Program& program, std::string_view what,
               std::size_t& pairs) {
  const std::optional<SitePairs> expected =
      random_races::racing_sites(program, options.max_interleavings, options.self_check);
  if (!expected) return Result::too_large;
  const std::optional<SitePairs> found = norn.racing_sites(program);
  pairs += expected->size();
  if (found == expected) return Result::agree;
  fmt::print("{}: {}\n  expected:{}\n  found:   {}\n", what, random_races::to_text(program), to_text(expected),
             to_text(found));
  return Result::differ;
}

int run_campaign(const Norn& norn, const Options& options) {
  unsigned compared = 0;
  unsigned different = 0;
  std::size_t pairs = 0;
  for (unsigned i = 0; i < options.count; ++i) {
    const std::uint64_t seed = options.seed + i;
    const Result result = compare(norn, options, generate(seed), fmt::format("seed {}", seed), pairs);
    compared += result != Result::too_large;
    different += result == Result::differ;
  }
  fmt::print("{} programs compared ({} have too many interleavings), {} racing pairs, {} different\n", compared,
             options.count - compared, pairs, different);
  if (options.self_check) return different > 0 ? 0 : 1;
  return different == 0 && compared >= options.at_least && pairs > compared ? 0 : 1;
}

int check_text(const Norn& norn, const Options& options) {
  const Program program = parse(options.program);
  if (program.threads.empty()) {
    fmt::print(stderr, "random_races: this is no program\n");
    return 2;
  }
  std::size_t pairs = 0;
  const Result result = compare(norn, options, program, "this program", pairs);
  if (result == Result::agree) fmt::print("{} racing pairs, and Norn finds the same\n", pairs);
  return result == Result::agree ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (const char* bin = std::getenv("NORN_BIN")) options.norn = std::string(bin) + "/norn";
  CLI::App app("Random programs with data races: Norn against a naive reference");
  app.add_option("--interpreter", options.interpreter, "the interpreter of programs")->required();
  app.add_option("--norn", options.norn, "the norn command (default: $NORN_BIN/norn)");
  app.add_option("--norn-options", options.more, "more options for norn check, in one word");
  app.add_option("--count", options.count, "how many programs")->capture_default_str();
  app.add_option("--at-least", options.at_least, "so many must be compared")->capture_default_str();
  app.add_option("--seed", options.seed, "seed of the first program")->capture_default_str();
  app.add_option("--max-interleavings", options.max_interleavings, "larger programs are skipped")
      ->capture_default_str();
  app.add_flag("--self-check", options.self_check, "demand that a wrong reference is noticed");
  app.add_option("--program", options.program, "check this program only");
  CLI11_PARSE(app, argc, argv);
  const Norn norn(options);
  return options.program.empty() ? run_campaign(norn, options) : check_text(norn, options);
}
