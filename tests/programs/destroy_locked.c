/* A connection that is closed, mutex and all, as soon as its last request has been counted; but the thread that
 * counted it still holds the mutex while it waits for the connection to be closed. */
// norn: bug misuse
// norn expects: destroyed while it is locked
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

struct connection {
  pthread_mutex_t mutex;
  int bytes;
};

static struct connection connection;
static sem_t finished;
static sem_t closed;

static void* request(void* unused) {
  (void)unused;
  pthread_mutex_lock(&connection.mutex);
  connection.bytes += 512;
  sem_post(&finished);
  sem_wait(&closed);
  pthread_mutex_unlock(&connection.mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&connection.mutex, NULL);
  sem_init(&finished, 0, 0);
  sem_init(&closed, 0, 0);
  if (pthread_create(&thread, NULL, request, NULL) != 0) return 1;
  sem_wait(&finished);
  pthread_mutex_destroy(&connection.mutex);
  sem_post(&closed);
  pthread_join(thread, NULL);
  sem_destroy(&finished);
  return 0;
}
