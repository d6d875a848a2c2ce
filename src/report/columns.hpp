#pragma once

#include <string>
#include <vector>

#include "report/rows.hpp"
#include "report/style.hpp"

namespace norn {

/// A run as a diagram: a column a thread, time downwards; or, where the columns do not fit the width, a list with the
/// names of the threads in front. Every line begins with `indent` spaces.
std::string diagram(const std::vector<Row>& rows, const TextStyle& style, std::size_t indent);

/// Orders the names of threads by descent: main, main/2, main/2/1, main/10.
bool comes_before(const std::string& thread, const std::string& other);

}  // namespace norn
