# Manual pages and completions. The command makes them of its own table of options whenever it is built.

set(share ${PROJECT_BINARY_DIR}/share)
set(completions bash-completion/completions/norn zsh/site-functions/_norn fish/vendor_completions.d/norn.fish)
set(commands COMMAND norn_command manual --directory ${share}/man/man1)
foreach(file ${completions})
  cmake_path(GET file PARENT_PATH directory)
  string(REGEX MATCH "^[a-z]+" shell ${file})
  file(MAKE_DIRECTORY ${share}/${directory})
  list(APPEND commands COMMAND norn_command completion ${shell} --output ${share}/${file})
  install(FILES ${share}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${directory})
endforeach()
add_custom_command(TARGET norn_command POST_BUILD ${commands} VERBATIM)

configure_file(docs/norn-c++.1.in ${share}/man/man1/norn-c++.1 @ONLY)
file(CONFIGURE OUTPUT ${share}/man/man1/norn-cc.1 CONTENT ".so man1/norn-c++.1\n")
install(DIRECTORY ${share}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.1")
