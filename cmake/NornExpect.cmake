# cmake -P NornExpect.cmake pass|bug|no-bug COMMAND...: runs a `norn check` and fails unless its exit code is the
# expected one. A test property cannot tell "a bug was found" from "the program could not be explored".

cmake_minimum_required(VERSION 3.25)

set(arguments)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 4 ${last})
  string(REPLACE ";" "\\;" argument "${CMAKE_ARGV${i}}")
  list(APPEND arguments "${argument}")
endforeach()
set(expected ${CMAKE_ARGV3})

execute_process(COMMAND ${arguments} RESULT_VARIABLE code)

set(codes_pass 0)
set(codes_bug 1)
set(codes_no-bug 0 3)
if(NOT code IN_LIST codes_${expected})
  message(FATAL_ERROR "norn check ended with exit code ${code}, but ${expected} was expected")
endif()
