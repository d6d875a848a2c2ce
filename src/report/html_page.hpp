#pragma once

#include <string_view>

namespace norn {

/// The page of html/ with style and scripts in it, and @DATA@ where its data belongs; made by cmake/HtmlPage.cmake.
extern const std::string_view html_page;

}  // namespace norn
