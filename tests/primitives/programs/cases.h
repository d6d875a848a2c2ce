#ifndef CASES_H
#define CASES_H

/* One program holds several tiny ones, because compiling takes longer than running: its first argument names the one
   to run. Ordinary C, so that C and C++ programs can share it. */

#include <stdio.h>
#include <string.h>

struct Case {
  const char* name;
  void (*run)(void);
};

static int run_case(const struct Case* cases, unsigned long count, char** arguments) {
  for (unsigned long i = 0; i < count; ++i) {
    if (arguments[1] == NULL || strcmp(cases[i].name, arguments[1]) != 0) continue;
    cases[i].run();
    return 0;
  }
  fprintf(stderr, "no such case\n");
  return 99;
}

#define CASES_MAIN(...)                                           \
  int main(int argc, char** argv) {                               \
    static const struct Case cases[] = {__VA_ARGS__};             \
    (void)argc;                                                   \
    return run_case(cases, sizeof cases / sizeof cases[0], argv); \
  }

#endif
