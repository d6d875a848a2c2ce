#pragma once

#include <nlohmann/json.hpp>

#include "report/names.hpp"

namespace norn {

/// The sequences that a strategy derived from each other, as the runtime sends them, with names: `parts` are events in
/// words. Null if there are none.
nlohmann::json named_sequences(const nlohmann::json& sent, Names& names, const nlohmann::json& memory);

}  // namespace norn
