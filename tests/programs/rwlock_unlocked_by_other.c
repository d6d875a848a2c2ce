/* A reader's lock that the wrong thread gives back. */
// norn: bug misuse
// norn expects: that other threads hold for reading
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* unlock(void* unused) {
  (void)unused;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t helper;
  pthread_rwlock_rdlock(&lock);
  if (pthread_create(&helper, NULL, unlock, NULL) != 0) return 1;
  pthread_join(helper, NULL);
  return 0;
}
