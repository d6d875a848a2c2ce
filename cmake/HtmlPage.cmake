# Makes one C++ file of the page of the HTML report: page.html with the style and the scripts in their places.
#
#   cmake -DDIRECTORY=src/report/html -DOUTPUT=html_page.cpp -P HtmlPage.cmake

# In this order: each uses only those before it.
set(scripts text.js run.js layout.js draw.js diagram.js panel.js tools.js compare.js section.js sequences.js coverage.js
    main.js)

file(READ ${DIRECTORY}/page.html page)
file(READ ${DIRECTORY}/style.css style)
file(READ ${DIRECTORY}/diagram.css diagram_style)
file(READ ${DIRECTORY}/sequences.css sequences_style)
file(READ ${DIRECTORY}/coverage.css coverage_style)
set(script "")
foreach(name ${scripts})
  file(READ ${DIRECTORY}/${name} part)
  string(APPEND script "${part}\n")
endforeach()
string(REPLACE "@STYLE@" "${style}\n${diagram_style}\n${sequences_style}\n${coverage_style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")

# Compilers need not take longer literals than this in one piece.
set(pieces "")
string(LENGTH "${page}" length)
set(begin 0)
while(begin LESS length)
  string(SUBSTRING "${page}" ${begin} 8000 piece)
  string(APPEND pieces "    R\"norn_page(${piece})norn_page\"\n")
  math(EXPR begin "${begin} + 8000")
endwhile()
file(WRITE ${OUTPUT} "// Made by cmake/HtmlPage.cmake from src/report/html.
#include \"report/html_page.hpp\"

namespace norn {

const std::string_view html_page =
${pieces};

}  // namespace norn
")
