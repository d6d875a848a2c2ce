/* Two waiters on one condition variable that each protect their flag with a mutex of their own. */
// norn: bug misuse
// norn expects: with different mutexes
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct Flag {
  pthread_mutex_t mutex;
  bool set;
};

static struct Flag flags[2] = {{PTHREAD_MUTEX_INITIALIZER, false}, {PTHREAD_MUTEX_INITIALIZER, false}};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* wait_for(void* argument) {
  struct Flag* flag = argument;
  pthread_mutex_lock(&flag->mutex);
  while (!flag->set) pthread_cond_wait(&changed, &flag->mutex);
  pthread_mutex_unlock(&flag->mutex);
  return NULL;
}

static void set(struct Flag* flag) {
  pthread_mutex_lock(&flag->mutex);
  flag->set = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&flag->mutex);
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    if (pthread_create(&threads[i], NULL, wait_for, &flags[i]) != 0) return 1;
  for (int i = 0; i < 2; ++i) set(&flags[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
