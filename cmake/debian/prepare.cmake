# Makes a Debian package of what was installed: files are where Debian has them, and compressed where it wants that.

set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(documents ${usr}/share/doc/norn)

function(compress file)
  execute_process(COMMAND gzip --best --no-name --force ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Links among manual pages are names of compressed files, too.
file(GLOB pages ${usr}/share/man/man1/*.1)
foreach(page ${pages})
  compress(${page})
endforeach()

file(MAKE_DIRECTORY ${usr}/share/zsh/vendor-completions)
file(RENAME ${usr}/share/zsh/site-functions/_norn ${usr}/share/zsh/vendor-completions/_norn)
file(REMOVE_RECURSE ${usr}/share/zsh/site-functions)

file(READ ${documents}/LICENSE licence)
file(REMOVE ${documents}/LICENSE)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" line "${licence}")
set(holder ${CMAKE_MATCH_1})
string(REGEX REPLACE "^.*\n(Permission)" "\\1" terms "${licence}")
string(STRIP "${terms}" terms)
string(REPLACE "\n\n" "\n.\n" terms "${terms}")
string(REPLACE "\n" "\n " terms "${terms}")
file(WRITE ${documents}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Norn

Files: *
Copyright: ${holder}
License: Expat
 ${terms}
")

string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
compress(${documents}/changelog)
file(WRITE ${documents}/changelog.Debian "norn (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * See changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
compress(${documents}/changelog.Debian)
