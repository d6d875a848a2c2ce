# What code for Norn is compiled with, by the functions in NornInstrument.cmake as by the wrappers norn-c++ and norn-cc.

# A call in place of a return has no place of its own.
set(norn_flags -g -fsanitize=thread -fno-omit-frame-pointer -fno-optimize-sibling-calls)

# Function entry and exit are not instrumented: stacks are unwound instead, when somebody wants to see them. GCC warns
# that libtsan does not understand thread fences, which Norn's runtime does; and its guesses at what may be uninitialized
# depend on what is inlined, which the instrumentation and Norn's headers change. A loop that waits for a plain variable
# must go on reading it: then the race is seen instead of a hang.
set(norn_flags_gnu --param=tsan-instrument-func-entry-exit=0 -Wno-tsan -Wno-maybe-uninitialized -fno-tree-loop-im
                   -fno-tree-pre)
# GCC would put these in place as accesses that are not instrumented; their calls are seen.
foreach(call memcpy mempcpy memmove memset bzero memcmp bcmp strcpy stpcpy strncpy strcat strncat strcmp strncmp sprintf
             snprintf)
  list(APPEND norn_flags_gnu -fno-builtin-${call})
endforeach()

set(norn_flags_clang -mllvm -tsan-instrument-func-entry-exit=0)
