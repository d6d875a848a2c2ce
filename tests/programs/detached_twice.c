/* A worker that detaches itself, and is detached by whoever started it. */
// norn: bug misuse
// norn expects: detached that was joined or detached before
#include <pthread.h>
#include <stddef.h>

static void* work(void* unused) {
  (void)unused;
  pthread_detach(pthread_self());
  return NULL;
}

int main(void) {
  pthread_t worker;
  if (pthread_create(&worker, NULL, work, NULL) != 0) return 1;
  pthread_detach(worker);
  return 0;
}
