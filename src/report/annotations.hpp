#pragma once

#include "report/reporter.hpp"

namespace norn {

/// Workflow commands of GitHub Actions, which shows them at the lines of the source that they are about.
std::unique_ptr<Reporter> make_annotations(Output output, const TextStyle& style);

}  // namespace norn
