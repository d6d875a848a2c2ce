#ifndef LIBRARY_CALL_H
#define LIBRARY_CALL_H

/* One thread calls a function of the C library on a buffer, the other one writes to one byte of it. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(16) char buffer[64];
static volatile long result;

struct LibraryCall {
  const char* name;
  void (*function)(void);
};

#define CALL(NAME) \
  { #NAME, NAME }

static void* call(void* function) {
  ((const struct LibraryCall*)function)->function();
  return NULL;
}

/* Arguments: the function, the byte, and what is in the buffer at first. */
static int call_beside_writer(struct LibraryCall* calls, size_t count, int argc, char** argv) {
  pthread_t thread;
  const int byte = 8 + atoi(argv[2]);
  if (argc > 3) strcpy(buffer + 8, argv[3]);
  while (count > 0 && strcmp(calls[count - 1].name, argv[1]) != 0) --count;
  if (count == 0) return 99;
  pthread_create(&thread, NULL, call, &calls[count - 1]);
  volatile char* const shared = buffer + byte;
  *shared = *shared;
  pthread_join(thread, NULL);
  return 0;
}

#define CALLS_MAIN(...)                                                           \
  int main(int argc, char** argv) {                                               \
    static struct LibraryCall calls[] = {__VA_ARGS__};                            \
    return call_beside_writer(calls, sizeof calls / sizeof calls[0], argc, argv); \
  }

#endif
