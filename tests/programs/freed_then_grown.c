/* A buffer that one thread gives back and another one makes larger. */
// norn: bug memory
// norn expects: double free
#include <pthread.h>
#include <stdlib.h>

static char* buffer;

static void* clear(void* unused) {
  free(buffer);
  return unused;
}

int main(void) {
  pthread_t cleaner;
  buffer = malloc(8);
  pthread_create(&cleaner, NULL, clear, NULL);
  pthread_join(cleaner, NULL);
  buffer = realloc(buffer, 64);
  free(buffer);
  return 0;
}
