/* A parser that skips blanks at the beginning of its buffer, and gives back what is left of it. */
// norn: bug memory
// norn expects: invalid free
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* parse(void* argument) {
  char* line = argument;
  while (*line == ' ') ++line;
  free(line);
  return NULL;
}

int main(void) {
  char* line = malloc(16);
  pthread_t parser;
  strcpy(line, "  words");
  if (pthread_create(&parser, NULL, parse, line) != 0) return 1;
  pthread_join(parser, NULL);
  return 0;
}
