/* A bounded buffer with a single condition variable for producers and consumers. The signal that should tell the
 * consumer of a new item can wake a producer instead, which goes back to sleep; then everybody sleeps. */
// norn: bug deadlock
// norn expects: no thread is left that could notify it
#include <assert.h>
#include <pthread.h>

enum { CAPACITY = 1, ITEMS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;

static void* produce(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (count == CAPACITY) pthread_cond_wait(&changed, &mutex);
  count++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void consume(void) {
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&changed, &mutex);
  count--;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t producers[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    if (pthread_create(&producers[i], NULL, produce, NULL) != 0) return 1;
  }
  for (int i = 0; i < ITEMS; i++) consume();
  for (int i = 0; i < ITEMS; i++) pthread_join(producers[i], NULL);
  assert(count == 0);
  return 0;
}
