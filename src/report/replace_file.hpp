#pragma once

#include <filesystem>
#include <string_view>

namespace norn {

/// Whether a file can be replaced by another of the same name: it is a regular file, or there is none. What is below
/// /dev and /proc may be the open file of somebody who would not see the new one.
bool is_replaceable(const std::filesystem::path& file);

enum class Safety {
  from_full_disks,     ///< whatever happens, the file is the old one or the new one
  from_power_failures  ///< and the new one stays
};

/// Gives a file a new content, wholly or not at all: it is written beside the old one, and renamed. What a link leads
/// to is replaced, not the link. If it is false, errno says why.
bool replace_file(const std::filesystem::path& file, std::string_view text, Safety safety);

/// Whether that would work, as far as can be told from writing a little.
bool can_replace_file(const std::filesystem::path& file);

}  // namespace norn
