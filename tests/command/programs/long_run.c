/* A run of many events, between which there is much to do: it would take minutes. */

#include <pthread.h>
#include <stdatomic.h>

static atomic_int rounds;

static void* work(void* unused) {
  for (int i = 0; i < 40000; ++i) {
    for (volatile int busy = 0; busy < 100000; ++busy) {
    }
    ++rounds;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
