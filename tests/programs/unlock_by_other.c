/* A mutex used as a signal: one thread locks it, and another unlocks it when the work is done. That is what
 * semaphores are for; a mutex belongs to the thread that locked it. */
// norn: bug misuse
// norn expects: another thread holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t done = PTHREAD_MUTEX_INITIALIZER;
static int result;

static void* compute(void* argument) {
  int n = *(int*)argument;
  for (int i = 1; i <= n; i++) result += i;
  pthread_mutex_unlock(&done);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int n = 10;
  pthread_mutex_lock(&done);
  if (pthread_create(&thread, NULL, compute, &n) != 0) return 1;
  pthread_mutex_lock(&done);
  assert(result == 55);
  pthread_mutex_unlock(&done);
  pthread_join(thread, NULL);
  return 0;
}
