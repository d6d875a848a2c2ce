#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/options.hpp"

namespace norn {

/// What a verdict is about: what was under control, and the bounds in force. Nothing is said that is not known.
struct ReportedControl {
  std::vector<std::string> operations;    ///< kinds that were seen, as the runtime calls them
  bool program_is_instrumented = true;    ///< or its accesses and atomic operations were not seen
  std::vector<std::string> instrumented;  ///< libraries that are, by their names
  std::vector<std::string> others;        ///< libraries that are not
  std::vector<std::string> bounds;        ///< the options that keep something out, as they are typed
};

/// The bounds that these options set.
std::vector<std::string> bounds_of(const Options& options);

/// "mutexes", "atomics": what operations belong to, each once.
std::vector<std::string> primitives_of(const std::vector<std::string>& operations);

nlohmann::json to_json(const ReportedControl& control, unsigned threads);

/// For the verdict, a sentence each.
std::vector<std::string> describe(const ReportedControl& control, unsigned threads);

}  // namespace norn
