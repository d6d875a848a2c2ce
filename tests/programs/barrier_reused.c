/* A barrier for the next phase in the place of the last one, where a thread may be waiting still. */
// norn: bug data-race
// norn expects: barrier
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void* work(void* unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, work, NULL);
  pthread_barrier_destroy(&barrier);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_barrier_wait(&barrier);
  pthread_join(thread, NULL);
}
