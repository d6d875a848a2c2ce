#pragma once

#include "report/reporter.hpp"

namespace norn {

/// SARIF 2.1.0 (OASIS), which code scanning and editors read: a result for every bug and warning, with the failing run
/// as a code flow that has a thread flow for every thread.
std::unique_ptr<Reporter> make_sarif(Output output, const TextStyle& style);

}  // namespace norn
