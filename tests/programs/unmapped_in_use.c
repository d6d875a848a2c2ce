/* A thread unmaps memory that another one may still write to. */
// norn: bug data-race
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static char* buffer;
static void* const place = (void*)0x100000000000; /* so that it has the same address everywhere */

static void* fill(void* unused) {
  buffer[100] = 1;
  return unused;
}

static void* drop(void* unused) {
  munmap(buffer, 4096);
  return unused;
}

int main(void) {
  pthread_t filler, dropper;
  buffer = mmap(place, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (buffer == MAP_FAILED) return 1;
  if (pthread_create(&filler, NULL, fill, NULL) != 0 || pthread_create(&dropper, NULL, drop, NULL) != 0) return 1;
  pthread_join(filler, NULL);
  pthread_join(dropper, NULL);
  return 0;
}
