/* Prints before main and in it. */
#include <stdio.h>

__attribute__((constructor)) static void before_main(void) {
  puts("before main");
  fflush(stdout);
}

int main(void) { puts("in main"); }
