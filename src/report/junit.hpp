#pragma once

#include "report/reporter.hpp"

namespace norn {

/// The XML of JUnit, as CI systems read it: the program is a test case, its bugs are failures. An exploration that is
/// not complete is neither passed nor failed, but skipped.
std::unique_ptr<Reporter> make_junit(Output output, const TextStyle& style);

}  // namespace norn
