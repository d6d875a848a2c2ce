#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace norn {

/// The graph of what was explored, as the runtime sends it, with names: JSON if the name of the file says so, otherwise
/// in the language of Graphviz.
std::string graph_text(const nlohmann::json& sent, const std::string& file);

}  // namespace norn
