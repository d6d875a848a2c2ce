#pragma once

#include <nlohmann/json.hpp>

#include "report/source_root.hpp"
#include "report/timeline.hpp"

namespace norn {

/// A message that is shown as it is: nothing in it is a placeholder (SARIF 2.1.0, 3.11.5) or a link (3.11.6).
nlohmann::json sarif_message(std::string_view text);

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
  [[nodiscard]] nlohmann::json step(const ReportedBug& bug, const TimelineRow& row, std::size_t order) const;

  SourceRoot root_;
};

}  // namespace norn
