/* Two threads share a buffer, and the last one to finish frees it. Each takes the lock to sign off and takes it again
 * to see whether it was the last; when both have signed off in between, both were. */
// norn: bug memory
// norn expects: double free
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shared {
  pthread_mutex_t mutex;
  int users;
  char* buffer;
};

static struct shared shared = {.mutex = PTHREAD_MUTEX_INITIALIZER, .users = 2};

static void sign_off(void) {
  pthread_mutex_lock(&shared.mutex);
  shared.users--;
  pthread_mutex_unlock(&shared.mutex);

  pthread_mutex_lock(&shared.mutex);
  int last = shared.users == 0;
  pthread_mutex_unlock(&shared.mutex);
  if (last) free(shared.buffer);
}

static void* use(void* unused) {
  (void)unused;
  pthread_mutex_lock(&shared.mutex);
  strcat(shared.buffer, "x");
  pthread_mutex_unlock(&shared.mutex);
  sign_off();
  return NULL;
}

int main(void) {
  pthread_t thread;
  shared.buffer = calloc(1, 16);
  if (shared.buffer == NULL || pthread_create(&thread, NULL, use, NULL) != 0) return 1;
  use(NULL);
  pthread_join(thread, NULL);
  return 0;
}
