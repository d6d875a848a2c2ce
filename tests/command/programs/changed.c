/* A program that is compiled in several variants, to replay a recording of one with another. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ORIGINAL, OTHER_OPERATION, SHORTER, LONGER, CORRECT, OTHER_THREADS, OTHER_FAILURE };

static atomic_int value;

static void* work(void* argument) {
  int seen = 0;
  if (VARIANT == OTHER_OPERATION)
    seen = atomic_fetch_add(&value, 1);
  else if (VARIANT != SHORTER)
    seen = atomic_load(&value);
  if (VARIANT == LONGER) seen = atomic_load(&value);
  if (VARIANT == OTHER_FAILURE) assert(seen == 2);
  assert(VARIANT == CORRECT || VARIANT == SHORTER || seen == 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  if (VARIANT == OTHER_THREADS) {
    work(NULL);
    atomic_store(&value, 1);
    return 0;
  }
  pthread_create(&thread, NULL, work, NULL);
  atomic_store(&value, 1);
  pthread_join(thread, NULL);
}
