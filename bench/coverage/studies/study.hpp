#pragma once

#include <map>
#include <string>
#include <vector>

#include "measure.hpp"

namespace studies {

/// How much is measured. The paper: 500 runs, 30 repetitions, probabilities 0.1 to 0.5, as long as it takes (12 hours
/// at most; 30 minutes until saturation), and a window of 120 seconds.
struct Scale {
  unsigned runs = 500;
  unsigned repetitions = 3;  ///< of strategy coverage, with different seeds
  std::vector<std::string> probabilities{"0.1", "0.3", "0.5"};
  double yield_seconds = 60;       ///< at most, of each variant of noise that gives way
  double sleep_seconds = 300;      ///< and of each that sleeps
  double saturation_seconds = 20;  ///< at most, until strategy coverage is saturated
  std::size_t window = 100;        ///< runs
};

inline const std::vector<std::string> noises{"yield", "sleep10", "sleep100"};

/// All that is measured of one subject.
struct Subject {
  std::string name;
  std::vector<Measured> coverage;                      ///< by repetition
  std::vector<Measured> with_happens_before;           ///< the same with --happens-before
  std::vector<Measured> saturated;                     ///< as many runs as it takes
  std::vector<Measured> saturated_without_rule_3;      ///< the same with --without-rule-3
  std::map<std::string, std::vector<Measured>> noise;  ///< by kind: by probability
};

/// A page with the tables of all studies. `circumstances`: how they were measured, in a sentence.
std::string tables(const std::vector<Subject>& subjects, const Scale& scale, const std::string& circumstances);

/// Curves of one subject, by technique: averages over repetitions or probabilities.
struct Plot {
  std::string title;
  std::vector<std::pair<std::string, std::vector<std::pair<double, double>>>> curves;
};

/// How coverage grows from run to run.
std::vector<Plot> by_runs(const std::vector<Subject>& subjects, const Scale& scale);
/// The same over time.
std::vector<Plot> by_time(const std::vector<Subject>& subjects);

/// All plots side by side.
std::string to_svg(const std::vector<Plot>& plots, const std::string& horizontal, bool logarithmic);
/// For gnuplot: a data set for every curve, `plot "runs.dat" index "array_list1 coverage" with steps`.
std::string to_data(const std::vector<Plot>& plots, const std::string& horizontal);

}  // namespace studies
