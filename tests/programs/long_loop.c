/* A long loop that finds nothing to do. Its counter lies where it makes a word that looks like a time in milliseconds
 * from about the four hundredth round on: that must not make the rounds the same. */
// norn: pass
#include <pthread.h>

enum { ROUNDS = 500 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items;

static void* take_all(void* unused) {
  volatile struct {
    int other;
    int round;
  } counter = {0, 0};
  for (; counter.round < ROUNDS; ++counter.round) {
    pthread_mutex_lock(&mutex);
    if (items > 0) --items;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, take_all, NULL);
  pthread_join(thread, NULL);
  return 0;
}
