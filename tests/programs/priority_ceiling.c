/* Mutexes that raise the priority of their owners are mutexes. */
// norn: pass
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutexes[2];
static int counter;

static void* work(void* unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutexes[0]);
    pthread_mutex_lock(&mutexes[1]);
    ++counter;
    pthread_mutex_unlock(&mutexes[1]);
    pthread_mutex_unlock(&mutexes[0]);
  }
  return unused;
}

int main(void) {
  const int protocols[] = {PTHREAD_PRIO_PROTECT, PTHREAD_PRIO_INHERIT};
  for (int i = 0; i < 2; ++i) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    assert(pthread_mutexattr_setprotocol(&attributes, protocols[i]) == 0);
    pthread_mutex_init(&mutexes[i], &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  assert(counter == 4);
  for (int i = 0; i < 2; ++i) pthread_mutex_destroy(&mutexes[i]);
  return 0;
}
