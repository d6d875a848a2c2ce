/* A thread waits in a loop for another one that waits for a condition. Whether the first goes round in circles depends
 * on the stack of the second, which is in the middle of pthread_cond_wait. */
// norn: pass
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
static atomic_int done;

static void* wait_for_condition(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  done = 1;
  return unused;
}

static void* spin(void* unused) {
  while (!done) {
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, wait_for_condition, NULL);
  pthread_create(&threads[1], NULL, spin, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
