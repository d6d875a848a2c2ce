// A thread locks a mutex that is not there: it crashes, not the one that looks at what it waits for.
//
// norn: bug crash
#include <pthread.h>

static void* lock(void* mutex) {
  pthread_mutex_lock(mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, lock, 0);
  pthread_join(thread, 0);
  return 0;
}
