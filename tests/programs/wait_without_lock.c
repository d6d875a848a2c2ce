/* A waiter that looks at the flag under the lock but lets go of it before it waits. */
// norn: bug misuse
// norn expects: without holding its mutex
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static bool is_ready(void) {
  pthread_mutex_lock(&mutex);
  bool result = ready;
  pthread_mutex_unlock(&mutex);
  return result;
}

static void* prepare(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ready = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, prepare, NULL) != 0) return 1;
  while (!is_ready()) pthread_cond_wait(&changed, &mutex);
  pthread_join(thread, NULL);
  return 0;
}
