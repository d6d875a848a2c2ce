#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "study.hpp"

namespace studies {
namespace {

template <typename Value>
double average(const std::vector<Measured>& all, const Value& value) {
  double sum = 0;
  for (const Measured& one : all) sum += value(one);
  return all.empty() ? 0 : sum / static_cast<double>(all.size());
}

std::string seconds(double value) {
  return value < 0.0995 ? fmt::format("{:.3f} s", value) : fmt::format("{:.1f} s", value);
}

double after(const std::vector<Measured>& all, double runs) {
  return average(all, [runs](const Measured& one) { return one.covered_after(runs); });
}

/// The average point at which repetitions are saturated; none if one of them is not.
std::optional<Point> saturation(const std::vector<Measured>& all, std::size_t window) {
  Point sum;
  for (const Measured& one : all) {
    const auto point = one.saturation(window);
    if (!point) return {};
    sum.covered += point->covered / static_cast<double>(all.size());
    sum.seconds += point->seconds / static_cast<double>(all.size());
  }
  return sum;
}

/// That of the probability with which most is covered.
std::optional<Point> best_saturation(const std::vector<Measured>& all, std::size_t window) {
  std::optional<Point> best;
  for (const Measured& one : all)
    if (const auto point = one.saturation(window); point && (!best || point->covered > best->covered)) best = point;
  return best;
}

std::string to_text(const std::optional<Point>& point) {
  return point ? fmt::format("{:.1f} / {}", point->covered, seconds(point->seconds)) : "-";
}

/// The most that any variant of noise covers, within the runs and the time that there were.
double best_noise(const Subject& subject, double runs) {
  double best = 0;
  for (const auto& [kind, all] : subject.noise)
    for (const Measured& one : all) best = std::max(best, one.covered_after(runs));
  return best;
}

/// Whether no variant of noise covers more, in the runs that it had, than `coverage` in as many.
bool leads_in_as_many_runs(const Subject& subject, double runs) {
  for (const auto& [kind, all] : subject.noise)
    for (const Measured& one : all) {
      const double same = std::min(runs, one.runs());
      if (after(subject.coverage, same) < one.covered_after(same)) return false;
    }
  return true;
}

std::string study_1(const std::vector<Subject>& subjects, const Scale& scale) {
  std::string text = fmt::format("## Study 1: what is covered after {} runs (table 2)\n\n", scale.runs);
  text += "| program | yield: avg | min | max | sleep10: avg | min | max | sleep100: avg | min | max | `coverage` |\n";
  text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  std::size_t reached = 0;
  std::size_t leading = 0;
  bool all_runs = true;
  for (const Subject& subject : subjects) {
    text += fmt::format("| `{}` |", subject.name);
    for (const std::string& kind : noises) {
      const std::vector<Measured>& all = subject.noise.at(kind);
      std::vector<double> covered;
      double fewest = scale.runs;
      for (const Measured& one : all) {
        covered.push_back(one.covered_after(scale.runs));
        fewest = std::min(fewest, one.runs());
      }
      all_runs &= fewest == scale.runs;
      const std::string mark = fewest < scale.runs ? fmt::format(" ({:.0f})", fewest) : "";
      text += fmt::format(" {:.1f}{} | {:.0f} | {:.0f} |", after(all, scale.runs), mark,
                          *std::min_element(covered.begin(), covered.end()),
                          *std::max_element(covered.begin(), covered.end()));
    }
    const double covered = after(subject.coverage, scale.runs);
    reached += covered >= best_noise(subject, scale.runs) ? 1 : 0;
    leading += leads_in_as_many_runs(subject, scale.runs) ? 1 : 0;
    text += fmt::format(" {:.1f} |\n", covered);
  }
  if (!all_runs)
    text +=
        fmt::format("\nIn parentheses: one of these variants came to only so many of the {} runs in the time it had.\n",
                    scale.runs);
  return text + fmt::format(
                    "\n`coverage` reaches at least the best variant of noise on {} of {} subjects. In as many runs "
                    "as each variant of noise had, it covers at least as much on {}.\n\n"
                    "![coverage over runs](coverage/runs.svg)\n",
                    reached, subjects.size(), leading);
}

std::string study_2(const std::vector<Subject>& subjects, const Scale& scale) {
  std::string text = "## Study 2: what is covered at saturation, and when that is (table 3)\n\n";
  text += "| program | yield | sleep10 | sleep100 | `coverage` |\n| --- | ---: | ---: | ---: | ---: |\n";
  std::size_t first = 0;
  std::size_t most = 0;
  for (const Subject& subject : subjects) {
    const auto own = saturation(subject.saturated, scale.window);
    bool is_first = own.has_value();
    const bool is_most = own && own->covered >= best_noise(subject, scale.runs);
    text += fmt::format("| `{}` |", subject.name);
    for (const std::string& kind : noises) {
      const auto other = best_saturation(subject.noise.at(kind), scale.window);
      text += fmt::format(" {} |", to_text(other));
      if (!other || !own) continue;
      is_first &= own->seconds <= other->seconds;
    }
    text += fmt::format(" {} |\n", to_text(own));
    first += is_first ? 1 : 0;
    most += is_most ? 1 : 0;
  }
  return text +
         fmt::format(
             "\n`coverage` is saturated first on {} of {} subjects, and then has covered at least as much on {} as "
             "any variant of noise in all its runs. What was not saturated in its time counts as later.\n\n![coverage "
             "over "
             "time](coverage/time.svg)\n",
             first, subjects.size(), most);
}

/// What is estimated and never covered, and what is covered and was not estimated.
std::pair<std::size_t, std::size_t> errors(const std::set<LinePair>& estimated, const std::set<LinePair>& covered) {
  const auto outside = [](const std::set<LinePair>& all, const std::set<LinePair>& others) {
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const LinePair& pair) { return !others.contains(pair); }));
  };
  return {outside(estimated, covered), outside(covered, estimated)};
}

std::string study_3(const std::vector<Subject>& subjects) {
  std::string text = "## Study 3: how precise the estimate is (table 4)\n\n";
  text +=
      "| program | estimated | covered | false positives | false negatives | estimated with `--happens-before` | false "
      "positives | false negatives |\n";
  text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  std::size_t wrong = 0;
  std::size_t wrong_with_filter = 0;
  for (const Subject& subject : subjects) {
    std::set<LinePair> covered;
    for (const auto* all :
         {&subject.coverage, &subject.with_happens_before, &subject.saturated, &subject.saturated_without_rule_3})
      for (const Measured& one : *all) covered.insert(one.covered.begin(), one.covered.end());
    const std::set<LinePair>& usual = subject.coverage.front().estimated;
    const std::set<LinePair>& filtered = subject.with_happens_before.front().estimated;
    const auto [positives, negatives] = errors(usual, covered);
    const auto [fewer_positives, other_negatives] = errors(filtered, covered);
    wrong += positives;
    wrong_with_filter += fewer_positives;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", subject.name, usual.size(), covered.size(),
                        positives, negatives, filtered.size(), fewer_positives, other_negatives);
  }
  return text + fmt::format("\nThe filter takes {} of {} false positives away.\n",
                            wrong - std::min(wrong, wrong_with_filter), wrong);
}

std::string study_4(const std::vector<Subject>& subjects, const Scale& scale) {
  std::string text = "## Study 4: what rule 3 does (table 5)\n\n";
  text += "| program | without rule 3 | with rule 3 | decisions by rule 3 |\n| --- | ---: | ---: | ---: |\n";
  for (const Subject& subject : subjects) {
    const double share = average(subject.coverage, [](const Measured& one) {
      return one.rules[2] / std::max(1.0, one.rules[0] + one.rules[1] + one.rules[2]);
    });
    text += fmt::format("| `{}` | {} | {} | {:.1f} % |\n", subject.name,
                        to_text(saturation(subject.saturated_without_rule_3, scale.window)),
                        to_text(saturation(subject.saturated, scale.window)), 100 * share);
  }
  return text;
}

}  // namespace

std::string tables(const std::vector<Subject>& subjects, const Scale& scale, const std::string& circumstances) {
  return fmt::format(
             "# Studies of synchronization coverage\n\n"
             "Written by `bench/coverage/studies.sh`: studies 1 to 4 of S. Hong, J. Ahn, S. Park, M. Kim and M. J. "
             "Harrold, \"Testing concurrent programs to achieve high synchronization coverage\" (ISSTA 2012), with the "
             "programs in [bench/coverage/subjects](../bench/coverage/subjects/README.md). What the strategy does is "
             "in [coverage.md](coverage.md).\n\n"
             "The scale is smaller than the paper's: `coverage` has {} repetitions (the paper has 30), noise one with "
             "each of the probabilities {} (0.1 to 0.5 in steps of 0.1). Every variant of noise has {} runs, or {} "
             "seconds if it gives way and {} if it sleeps, whatever comes first (12 hours). A technique is saturated "
             "when a linear regression over its last {} runs (120 seconds) has a coefficient of determination below "
             "0.1; `coverage` has {} seconds to come to that, noise the runs of study 1 (30 minutes). `-` stands for "
             "what was not saturated. {}\n\n",
             scale.repetitions, fmt::join(scale.probabilities, ", "), scale.runs, scale.yield_seconds,
             scale.sleep_seconds, scale.window, scale.saturation_seconds, circumstances) +
         study_1(subjects, scale) + "\n" + study_2(subjects, scale) + "\n" + study_3(subjects) + "\n" +
         study_4(subjects, scale);
}

}  // namespace studies
