#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace norn {

/// What a person can call the threads and objects of a program, as far as a run shows.
struct KnownNames {
  /// By name (`queue.mutex_`) and by where they are declared (`queue.cpp:12`).
  std::map<std::string, std::set<std::uint64_t>> objects;
  /// The other way round.
  std::map<std::uint64_t, std::string> names;
  /// By what they call themselves and by where they are started.
  std::map<std::string, std::set<std::string>> threads;

  /// Those of a run that the runtime has described, in what it sent.
  void add(const nlohmann::json& sent, const nlohmann::json& run);
};

}  // namespace norn
