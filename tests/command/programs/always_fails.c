// Every run has a race and a failing assertion, the first one already.
#include <assert.h>
#include <pthread.h>

static int count;

static void* add(void* unused) {
  ++count;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  ++count;
  pthread_join(thread, 0);
  assert(count == 3);
  return 0;
}
