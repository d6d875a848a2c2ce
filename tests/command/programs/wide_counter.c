// Two threads count in 16 bytes: each of them reads and writes, so that one of two can be lost.
#include <assert.h>
#include <pthread.h>

__extension__ typedef __int128 wide;

static wide count = 5;

static void* add(void* unused) {
  __atomic_store_n(&count, __atomic_load_n(&count, __ATOMIC_SEQ_CST) + 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  add(0);
  pthread_join(thread, 0);
  const wide found = __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  assert(found == 7);
  return 0;
}
