/* A connection that is closed, mutex and all, as soon as the last request has been counted, while the thread that
 * counted it still holds the mutex. */
// norn: bug misuse
// norn expects: destroyed while it is locked
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct connection {
  pthread_mutex_t mutex;
  int bytes;
  atomic_int requests;
};

static struct connection connection;

static void* request(void* unused) {
  (void)unused;
  pthread_mutex_lock(&connection.mutex);
  connection.bytes += 512;
  atomic_fetch_sub(&connection.requests, 1);
  pthread_mutex_unlock(&connection.mutex);
  return NULL;
}

static void close_connection(void) {
  if (atomic_load(&connection.requests) == 0) pthread_mutex_destroy(&connection.mutex);
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&connection.mutex, NULL);
  atomic_store(&connection.requests, 1);
  if (pthread_create(&thread, NULL, request, NULL) != 0) return 1;
  while (atomic_load(&connection.requests) != 0) {
  }
  close_connection();
  pthread_join(thread, NULL);
  return 0;
}
