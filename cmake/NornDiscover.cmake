# Runs a GoogleTest or Catch2 program after it is built, to learn which test cases it has, and writes a list of tests for
# ctest: each explores one test case with `norn check`, or runs it as it is (NATIVE).
#
#   cmake -D PROGRAM=... -D NORN=... -D FRAMEWORK=... -D NATIVE=... -D EXPECT=... -D OPTIONS=... -D PREFIX=... -D SUFFIX=...
#         -D PROPERTIES=... -D LIST=... -P NornDiscover.cmake

cmake_minimum_required(VERSION 3.25)

# ask(<result> <argument>...): what the program prints, with the characters that mean something in a list replaced.
function(ask result)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE problem RESULT_VARIABLE code TIMEOUT 60)
  # Catch2 counts the tests it lists, and the count is its exit code.
  if(NOT text OR NOT code MATCHES "^[0-9]+$")
    message(FATAL_ERROR "norn_discover_tests: ${PROGRAM} ${ARGN} lists nothing (${code})\n${problem}")
  endif()
  string(REPLACE ";" "<semicolon>" text "${text}")
  string(REPLACE "[" "<open>" text "${text}")
  string(REPLACE "]" "<close>" text "${text}")
  string(REGEX REPLACE "\r?\n" ";" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# plain(<result> <text>): the text as the program printed it.
function(plain result text)
  string(REPLACE "<semicolon>" ";" text "${text}")
  string(REPLACE "<open>" "[" text "${text}")
  string(REPLACE "<close>" "]" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# add(<name> <argument that selects it> <disabled>): one more test in the list.
function(add name argument disabled)
  plain(name "${name}")
  plain(argument "${argument}")
  if(NATIVE)
    set(command "[==[${PROGRAM}]==] [==[${argument}]==]")
  else()
    set(command "[==[${CMAKE_COMMAND}]==] -P [==[${CMAKE_CURRENT_LIST_DIR}/NornExpect.cmake]==] ${EXPECT}")
    string(APPEND command " [==[${NORN}]==] check [==[${PROGRAM}]==]")
    foreach(option IN LISTS OPTIONS)
      string(APPEND command " [==[${option}]==]")
    endforeach()
    string(APPEND command " -- [==[${argument}]==]")
  endif()
  set(test "[==[${PREFIX}${name}${SUFFIX}]==]")
  string(APPEND tests "add_test(${test} ${command})\n")
  # Lazy binding would be work, and writes, that only the first execution does.
  string(APPEND tests "set_tests_properties(${test} PROPERTIES ENVIRONMENT_MODIFICATION LD_BIND_NOW=set:1")
  foreach(property IN LISTS PROPERTIES)
    string(APPEND tests " [==[${property}]==]")
  endforeach()
  if(disabled)
    string(APPEND tests " DISABLED TRUE")
  endif()
  set(tests "${tests})\n" PARENT_SCOPE)
endfunction()

# Suites at the beginning of a line and with a dot at their end, test cases below them, remarks after a #.
macro(add_googletest)
  ask(lines --gtest_list_tests)
  set(suite "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " *#.*$" "" name "${line}")
    if(name MATCHES "^  +(.+)$")
      set(name "${suite}${CMAKE_MATCH_1}")
      string(FIND "${name}" "DISABLED_" disabled)
      math(EXPR disabled "${disabled} + 1")
      string(REPLACE "DISABLED_" "" short "${name}")
      add("${short}" "--gtest_filter=${name}" ${disabled})
    elseif(name MATCHES "^[^ ]+\\.$")
      set(suite "${name}")
    endif()
  endforeach()
endmacro()

macro(add_catch2)
  if(help MATCHES "--list-test-names-only")  # version 2
    ask(lines --list-test-names-only)
  else()
    ask(lines --list-tests --verbosity quiet)
  endif()
  foreach(line IN LISTS lines)
    if(line STREQUAL "")
      continue()
    endif()
    # What means something in the specification of tests.
    string(REPLACE "\\" "\\\\" argument "${line}")
    string(REPLACE "," "\\," argument "${argument}")
    string(REPLACE "<open>" "\\<open>" argument "${argument}")
    add("${line}" "${argument}" 0)
  endforeach()
endmacro()

execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help ERROR_QUIET TIMEOUT 60)
if(NOT FRAMEWORK AND help MATCHES "gtest_filter")
  set(FRAMEWORK GoogleTest)
elseif(NOT FRAMEWORK AND help MATCHES "Catch")
  set(FRAMEWORK Catch2)
endif()

set(tests "")
if(FRAMEWORK STREQUAL "GoogleTest")
  add_googletest()
elseif(FRAMEWORK STREQUAL "Catch2")
  add_catch2()
else()
  message(FATAL_ERROR "norn_discover_tests: ${PROGRAM} is neither a GoogleTest nor a Catch2 program; say which with FRAMEWORK")
endif()
file(WRITE "${LIST}" "${tests}")
