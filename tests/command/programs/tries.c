/* Two threads try to get a lock; that one of them may fail shows only when they run. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* try_once(void* unused) {
  if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, try_once, NULL);
  pthread_create(&b, NULL, try_once, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
