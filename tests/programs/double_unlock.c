/* A job queue that unlocks before it runs the job, and whose error path unlocks once more. When another thread has
 * taken the lock in between, it loses it without knowing. */
// norn: bug misuse
// norn expects: unlocks a mutex
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 2;
static bool stopped;

static bool run_job(int job, bool skip) { return job > 0 && !skip; }

static bool work(void) {
  pthread_mutex_lock(&mutex);
  int job = jobs--;
  bool skip = stopped;
  pthread_mutex_unlock(&mutex);
  if (!run_job(job, skip)) goto failed;
  return true;

failed:
  pthread_mutex_unlock(&mutex);
  return false;
}

static void* worker(void* unused) {
  (void)unused;
  work();
  return NULL;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, worker, NULL) != 0) return 1;
  pthread_mutex_lock(&mutex);
  stopped = true;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  assert(jobs == 1);
  return 0;
}
