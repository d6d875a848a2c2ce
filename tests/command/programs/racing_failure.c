/* Fails in every run, after accesses that race. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int shared;
static atomic_int steps;

static void* work(void* unused) {
  for (int i = 0; i < 3; ++i) {
    shared = i;
    ++steps;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  assert(shared > 2);
  return 0;
}
