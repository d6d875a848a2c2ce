#pragma once

#include <string>

#include "report/reporter.hpp"

namespace norn {

/// Names of files for readers who see the sources from their root on.
class SourceRoot {
 public:
  SourceRoot() = default;
  explicit SourceRoot(const ReportedExploration& exploration)
      : directory_(exploration.directory), root_(exploration.root) {}

  /// From the root if the file is below it, absolute otherwise.
  [[nodiscard]] std::string name(const std::string& file) const;
  /// The same as a URI reference.
  [[nodiscard]] std::string uri(const std::string& file) const;
  /// The root itself as a URI; it ends with a slash.
  [[nodiscard]] std::string uri() const;

 private:
  std::filesystem::path directory_;
  std::filesystem::path root_;
};

/// The URI of a directory; it ends with a slash.
std::string directory_uri(const std::filesystem::path& directory);

}  // namespace norn
