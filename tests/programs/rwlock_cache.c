/* A cache behind a POSIX reader-writer lock: who misses looks again under the write lock before it computes, so that
 * every value is computed once. */
// norn: pass
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIZE = 4 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static bool known[SIZE];
static long values[SIZE];
static int computed;

static long cube(int n) {
  pthread_rwlock_rdlock(&lock);
  bool hit = known[n];
  long value = values[n];
  pthread_rwlock_unlock(&lock);
  if (hit) return value;

  pthread_rwlock_wrlock(&lock);
  if (!known[n]) {
    values[n] = (long)n * n * n;
    known[n] = true;
    computed++;
  }
  value = values[n];
  pthread_rwlock_unlock(&lock);
  return value;
}

static void* ask(void* unused) {
  (void)unused;
  assert(cube(3) == 27);
  return NULL;
}

int main(void) {
  pthread_t clients[2];
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&clients[i], NULL, ask, NULL) != 0) return 1;
  }
  assert(cube(3) == 27);
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  assert(computed == 1);
  pthread_rwlock_destroy(&lock);
  return 0;
}
