#pragma once

#include <nlohmann/json.hpp>

#include "report/source_root.hpp"
#include "report/timeline.hpp"

namespace norn {

/// Parts of a SARIF log that say where and when something happened.
class SarifPlaces {
 public:
  SarifPlaces() = default;
  explicit SarifPlaces(const SourceRoot& root) : root_(root) {}

  /// With the message if there is one.
  [[nodiscard]] nlohmann::json location(const Place& place, const std::string& message = "") const;
  [[nodiscard]] nlohmann::json stack(const std::vector<Place>& frames, const std::string& message) const;
  /// The failing run: a thread flow for every thread, all of them ordered by executionOrder.
  [[nodiscard]] nlohmann::json code_flow(const ReportedBug& bug) const;

 private:
  [[nodiscard]] nlohmann::json step(const ReportedBug& bug, const TimelineRow& row, const Place& place,
                                    std::size_t order) const;

  SourceRoot root_;
};

}  // namespace norn
