# Functions for projects that test with Norn; the same file serves Norn's own build and find_package(norn).
#
#   norn_instrument(<target>)
#     Compiles an existing target with Norn's instrumentation and links the runtime. Outside `norn check` and
#     norn::explore the program still runs natively. Assertions stay on in release builds: they are what is tested.
#     Libraries of the project that synchronize want to be instrumented too.
#
#   norn_add_test(NAME <name> SOURCES <source>... [LIBRARIES <library>...] [STRATEGY <strategy>]
#                 [OPTIONS <option of norn check>...] [ARGS <argument of the program>...]
#                 [EXPECT pass|bug|no-bug])
#     Builds an instrumented program called <name> and registers a test of that name that runs `norn check` on it.
#     The test passes if every behaviour was explored and found correct (pass, the default), if a bug was found (bug),
#     or if none was found, be the exploration complete or not (no-bug: for strategies that sample).
#
#   norn_discover_tests(<target> [<option of gtest_discover_tests>...])
#     Instruments a GoogleTest program, whose tests may call norn::explore, and registers each of its tests.

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
  target_compile_options(
    ${target}
    PRIVATE -fsanitize=thread
            -g
            -fno-omit-frame-pointer
            -pthread
            -UNDEBUG
            "$<$<COMPILE_LANG_AND_ID:C,GNU>:--param=tsan-instrument-func-entry-exit=0;-Wno-tsan>"
            "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=tsan-instrument-func-entry-exit=0;-Wno-tsan>"
            "$<$<COMPILE_LANG_AND_ID:C,Clang>:SHELL:-mllvm -tsan-instrument-func-entry-exit=0>"
            "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-mllvm -tsan-instrument-func-entry-exit=0>")

  # The runtime must come first in symbol lookup, whatever else is linked and whether or not the linker sees a use of
  # it. -fsanitize=thread is a matter of compiling only: at link time it would bring in another runtime.
  target_link_options(
    ${target} BEFORE PRIVATE
    "SHELL:-Wl,--push-state,--no-as-needed \"$<TARGET_LINKER_FILE:norn::norn>\" -Wl,--pop-state" LINKER:-z,now -pthread)
  target_link_libraries(${target} PRIVATE norn::norn)
endfunction()

function(norn_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;STRATEGY;EXPECT" "SOURCES;LIBRARIES;OPTIONS;ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "norn_add_test: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "norn_add_test needs a NAME and SOURCES")
  endif()
  if(NOT arg_EXPECT)
    set(arg_EXPECT pass)
  endif()
  if(NOT arg_EXPECT MATCHES "^(pass|bug|no-bug)$")
    message(FATAL_ERROR "norn_add_test: EXPECT is pass, bug or no-bug, not ${arg_EXPECT}")
  endif()

  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES})
  norn_instrument(${arg_NAME})

  set(command $<TARGET_FILE:norn::command> check $<TARGET_FILE:${arg_NAME}>)
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
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PROPERTIES")
  norn_instrument(${target})
  include(GoogleTest)
  # Lazy binding would be work, and writes, that only the first execution does.
  gtest_discover_tests(${target} ${arg_UNPARSED_ARGUMENTS} PROPERTIES ENVIRONMENT_MODIFICATION LD_BIND_NOW=set:1
                                                                      ${arg_PROPERTIES})
endfunction()
