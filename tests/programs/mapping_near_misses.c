/* What looks like a race or a leak and is none: memory that is mapped where another thread has just unmapped its own,
   memory that moves, memory that is mapped over, and blocks that only mapped memory leads to, a part of which nobody
   can read. */
// norn: pass
// norn options: --leaks
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { page = 4096, huge = 1 << 30 };

static void** kept;
static int more_than_a_page[2 * page / sizeof(int)];

static char* map(size_t size) {
  char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert(memory != MAP_FAILED);
  return memory;
}

static void* work(void* unused) {
  (void)unused;
  char* memory = map(page);
  memory[0] = 1;
  memory = mremap(memory, page, 1024 * page, MREMAP_MAYMOVE);
  assert(memory != MAP_FAILED && memory[0] == 1);
  memory[1023 * page] = 2;
  void* const over = mmap(memory, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  assert(over == memory && memory[0] == 0);
  munmap(memory, 1024 * page);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  for (size_t i = 0; i < sizeof more_than_a_page / sizeof *more_than_a_page; ++i) more_than_a_page[i] = 1;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  char* memory = map(huge);
  memory[huge - 1] = 1;
  munmap(memory, huge);
  kept = (void**)map(3 * page);
  kept[0] = malloc(10);
  kept[2 * page / sizeof *kept] = malloc(10);
  mprotect((char*)kept + page, page, PROT_NONE);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
