/* A module that every thread initialises when it first uses it, mutex and all. */
// norn: bug misuse
// norn expects: initialised anew while it is locked
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static sem_t entered, done;
static int users;

static void* use(void* unused) {
  (void)unused;
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_lock(&mutex);
  ++users;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* use_long(void* unused) {
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_lock(&mutex);
  sem_post(&entered);
  sem_wait(&done);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&entered, 0, 0);
  sem_init(&done, 0, 0);
  if (pthread_create(&thread, NULL, use_long, NULL) != 0) return 1;
  sem_wait(&entered);
  use(NULL);
  sem_post(&done);
  pthread_join(thread, NULL);
  return 0;
}
