/* The last thing that a thread does with its block is to clear it, and the zero for the end of a text. Optimizers jump
   to such a function instead of calling it. */
// norn: bug memory
#pragma GCC optimize("O2")

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 8 };

static void* clear(void* block) { return memset(block, 0, WIDTH + 1); }

int main(void) {
  pthread_t thread;
  char* block = malloc(WIDTH);
  if (block == NULL || pthread_create(&thread, NULL, clear, block) != 0) return 1;
  pthread_join(thread, NULL);
  free(block);
  return 0;
}
