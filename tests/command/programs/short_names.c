/* Globals with names of one letter, in a program that fails in its only run. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int i;

static void* work(void* argument) {
  pthread_mutex_lock(&m);
  atomic_store(&i, 1);
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  assert(i == 0);
}
