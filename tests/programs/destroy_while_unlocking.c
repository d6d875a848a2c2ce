/* A connection that is closed, mutex and all, as soon as its last request has been counted, while the thread that
 * counted it has yet to unlock the mutex. */
// norn: bug data-race
// norn expects: connection.mutex
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

struct connection {
  pthread_mutex_t mutex;
  int bytes;
};

static struct connection connection;
static sem_t finished;

static void* request(void* unused) {
  (void)unused;
  pthread_mutex_lock(&connection.mutex);
  connection.bytes += 512;
  sem_post(&finished);
  pthread_mutex_unlock(&connection.mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&connection.mutex, NULL);
  sem_init(&finished, 0, 0);
  if (pthread_create(&thread, NULL, request, NULL) != 0) return 1;
  sem_wait(&finished);
  pthread_mutex_destroy(&connection.mutex);
  pthread_join(thread, NULL);
  sem_destroy(&finished);
  return 0;
}
