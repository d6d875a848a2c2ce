/* The bug that `norn check --self-check` plants beside a program: when the program ends, two threads each add one to a
 * number, in two steps. If they come between each other, one of the updates is lost.
 *
 * The file is valid C and C++, so that it can be compiled with the flags of either. */
#include <norn/runtime_abi.h>
#include <pthread.h>
#include <stddef.h>

static int number;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* add_atomically(void* unused) {
  const int seen = __atomic_load_n(&number, __ATOMIC_SEQ_CST);
  __atomic_store_n(&number, seen + 1, __ATOMIC_SEQ_CST);
  return unused;
}

static void* add_under_lock(void* unused) {
  int seen;
  pthread_mutex_lock(&mutex);
  seen = number;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  number = seen + 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void add_twice(int with_lock) {
  pthread_t threads[2];
  int i;
  number = 0;
  for (i = 0; i < 2; ++i)
    if (pthread_create(&threads[i], NULL, with_lock ? add_under_lock : add_atomically, NULL) != 0) return;
  for (i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  if (number != 2) norn_fail(NORN_PLANTED_BUG);
}

__attribute__((constructor)) static void plant(void) { norn_plant(add_twice); }
