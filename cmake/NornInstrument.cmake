# Functions for projects that test with Norn; the same file serves Norn's own build and find_package(norn).
#
#   norn_instrument(<target>)
#     Compiles an existing target with Norn's instrumentation and links the runtime. Outside `norn check` and
#     norn::explore the program still runs natively. Assertions stay on in release builds: they are what is tested.
#     Libraries of the project that synchronize want to be instrumented too.
#
#   norn_add_test(NAME <name> SOURCES <source>...|TARGET <target> [LIBRARIES <library>...] [STRATEGY <strategy>]
#                 [OPTIONS <option of norn check>...] [ARGS <argument of the program>...]
#                 [EXPECT pass|bug|no-bug])
#     Builds an instrumented program called <name> of the sources, or instruments an existing one, and registers a test
#     of that name that runs `norn check` on it. The test passes if every behaviour was explored and found correct (pass,
#     the default), if a bug was found (bug), or if none was found, be the exploration complete or not (no-bug: for
#     strategies that sample).
#
#   norn_discover_tests(<target> [FRAMEWORK GoogleTest|Catch2] [STRATEGY <strategy>] [OPTIONS <option of norn check>...]
#                       [EXPECT pass|bug|no-bug] [TEST_PREFIX <prefix>] [TEST_SUFFIX <suffix>] [NATIVE]
#                       [PROPERTIES <name> <value>...])
#     Instruments a GoogleTest or Catch2 program and registers each of its test cases, as they are found after it is
#     built, as a test that explores this test case alone with `norn check`. With NATIVE the test cases run as they are,
#     for those that call norn::explore themselves.

# In Norn's own build the target has no namespace yet.
if(TARGET norn AND NOT TARGET norn::norn)
  add_library(norn::norn ALIAS norn)
  add_executable(norn::command ALIAS norn_command)
endif()

# The headers that stand before those of the C++ library: beside this file in the sources, and in an installation.
function(_norn_shadow_directory result)
  foreach(candidate ../shadow ../../../share/norn/shadow)
    get_filename_component(directory ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${candidate} ABSOLUTE)
    if(EXISTS ${directory})
      set(${result} ${directory} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "Norn's shadow headers are missing beside ${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
endfunction()

# Norn's plugin for this version of GCC, as a list of flags: none if there is none.
function(_norn_plugin result version)
  set(plugin ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../norn/gcc-${version}.so)
  if(TARGET norn_gcc)
    get_target_property(its_version norn_gcc NORN_GCC_VERSION)
    set(plugin)
    if(its_version STREQUAL version)
      set(plugin $<TARGET_FILE:norn_gcc>)
    endif()
  elseif(NOT EXISTS ${plugin})
    set(plugin)
  endif()
  list(TRANSFORM plugin PREPEND -fplugin=)
  set(${result} ${plugin} PARENT_SCOPE)
endfunction()

function(norn_instrument target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "norn_instrument: there is no target called ${target}")
  endif()
  get_target_property(done ${target} NORN_INSTRUMENTED)
  if(done)
    return()
  endif()
  # Link-time optimization would postpone the instrumentation to the link step.
  set_target_properties(${target} PROPERTIES NORN_INSTRUMENTED TRUE INTERPROCEDURAL_OPTIMIZATION OFF)

  _norn_shadow_directory(shadow)
  target_include_directories(${target} SYSTEM BEFORE PRIVATE ${shadow})
  target_compile_definitions(${target} PRIVATE NORN=1)
  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/NornFlags.cmake)
  # They are words that belong together, each of which CMake would leave out the second time.
  list(JOIN norn_flags_clang " " norn_flags_clang)
  _norn_plugin(plugin_c "${CMAKE_C_COMPILER_VERSION}")
  _norn_plugin(plugin_cxx "${CMAKE_CXX_COMPILER_VERSION}")
  # Unwinding runs what pthread_cleanup_push registers in C.
  target_compile_options(
    ${target}
    PRIVATE ${norn_flags}
            $<$<COMPILE_LANGUAGE:C>:-fexceptions>
            -pthread
            -UNDEBUG
            "$<$<COMPILE_LANG_AND_ID:C,GNU>:${norn_flags_gnu};${plugin_c}>"
            "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${norn_flags_gnu};${plugin_cxx}>"
            "$<$<COMPILE_LANG_AND_ID:C,Clang>:SHELL:${norn_flags_clang}>"
            "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:${norn_flags_clang}>")

  # The runtime must come first in symbol lookup, whatever else is linked and whether or not the linker sees a use of
  # it. -fsanitize=thread is a matter of compiling only: at link time it would bring in another runtime.
  target_link_options(
    ${target} BEFORE PRIVATE
    "SHELL:-Wl,--push-state,--no-as-needed \"$<TARGET_LINKER_FILE:norn::norn>\" -Wl,--pop-state" LINKER:-z,now -pthread)
  target_link_libraries(${target} PRIVATE norn::norn)
endfunction()

# What norn_add_test and norn_discover_tests have in common.
macro(_norn_check_arguments function)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_EXPECT)
    set(arg_EXPECT pass)
  endif()
  if(NOT arg_EXPECT MATCHES "^(pass|bug|no-bug)$")
    message(FATAL_ERROR "${function}: EXPECT is pass, bug or no-bug, not ${arg_EXPECT}")
  endif()
endmacro()

function(norn_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;STRATEGY;EXPECT" "SOURCES;LIBRARIES;OPTIONS;ARGS")
  _norn_check_arguments(norn_add_test)
  if(NOT arg_NAME OR (arg_SOURCES AND arg_TARGET) OR NOT (arg_SOURCES OR arg_TARGET))
    message(FATAL_ERROR "norn_add_test needs a NAME, and either SOURCES or a TARGET")
  endif()

  if(arg_SOURCES)
    set(arg_TARGET ${arg_NAME})
    add_executable(${arg_TARGET} ${arg_SOURCES})
  endif()
  norn_instrument(${arg_TARGET})
  target_link_libraries(${arg_TARGET} PRIVATE ${arg_LIBRARIES})

  set(command $<TARGET_FILE:norn::command> check $<TARGET_FILE:${arg_TARGET}>)
  if(arg_STRATEGY)
    list(APPEND command --strategy ${arg_STRATEGY})
  endif()
  list(APPEND command ${arg_OPTIONS})
  if(arg_ARGS)
    list(APPEND command -- ${arg_ARGS})
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/NornExpect.cmake
                                    ${arg_EXPECT} ${command})
endfunction()

function(norn_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg NATIVE "FRAMEWORK;STRATEGY;EXPECT;TEST_PREFIX;TEST_SUFFIX" "OPTIONS;PROPERTIES")
  _norn_check_arguments(norn_discover_tests)
  norn_instrument(${target})
  set(options ${arg_OPTIONS})
  if(arg_STRATEGY)
    list(PREPEND options --strategy ${arg_STRATEGY})
  endif()

  # ctest reads the list of tests, which comes to be after the program is linked.
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_norn_tests.cmake)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/NornDiscover.cmake)
  add_custom_command(
    TARGET ${target} POST_BUILD
    BYPRODUCTS ${list}
    COMMAND ${CMAKE_COMMAND} -D "PROGRAM=$<TARGET_FILE:${target}>" -D "NORN=$<TARGET_FILE:norn::command>" -D
            "FRAMEWORK=${arg_FRAMEWORK}" -D "NATIVE=${arg_NATIVE}" -D "EXPECT=${arg_EXPECT}" -D "OPTIONS=${options}" -D
            "PREFIX=${arg_TEST_PREFIX}" -D "SUFFIX=${arg_TEST_SUFFIX}" -D "PROPERTIES=${arg_PROPERTIES}" -D
            "LIST=${list}" -P ${script}
    VERBATIM)
  # Before the first build there is no list yet, and one test says so.
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}_norn_include.cmake)
  file(WRITE ${include} "if(EXISTS \"${list}\")
  include(\"${list}\")
else()
  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()
