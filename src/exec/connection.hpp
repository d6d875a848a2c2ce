#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace norn::exec {

// The line to the norn command that started the exploration, if one did. A message is a line of JSON; if it says how
// many "bytes", these follow.

/// From now on, the command is at the other end of this descriptor.
void connect_to_command(int descriptor);
bool has_command();

void send_to_command(nlohmann::json message, std::string_view bytes = {});
std::string line_from_command();
/// So many bytes, or fewer if the command is gone.
std::string bytes_from_command(std::size_t count);

}  // namespace norn::exec
