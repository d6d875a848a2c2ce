/* Three dining philosophers with POSIX threads. Each takes the fork with the lower number first, so there is no circle
 * of waiting and everybody eats. */
// norn: pass
#include <assert.h>
#include <pthread.h>

enum { PHILOSOPHERS = 3 };

static pthread_mutex_t forks[PHILOSOPHERS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                              PTHREAD_MUTEX_INITIALIZER};
static int meals[PHILOSOPHERS];

static void* dine(void* argument) {
  int me = *(int*)argument;
  int left = me, right = (me + 1) % PHILOSOPHERS;
  int low = left < right ? left : right;
  int high = left < right ? right : left;

  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  meals[me]++;
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  int seats[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) {
    seats[i] = i;
    if (pthread_create(&threads[i], NULL, dine, &seats[i]) != 0) return 1;
  }
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < PHILOSOPHERS; i++) assert(meals[i] == 1);
  return 0;
}
