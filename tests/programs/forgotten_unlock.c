/* A stock that is protected by a mutex, and an early return that forgets to unlock it: everything works until an
 * order is larger than the stock. */
// norn: bug misuse
// norn expects: ends while it holds a lock
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stock = 5;

static bool take(int amount) {
  pthread_mutex_lock(&mutex);
  if (amount > stock) return false;
  stock -= amount;
  pthread_mutex_unlock(&mutex);
  return true;
}

static void add(int amount) {
  pthread_mutex_lock(&mutex);
  stock += amount;
  pthread_mutex_unlock(&mutex);
}

static void* sell(void* sold) {
  *(bool*)sold = take(7);
  return NULL;
}

int main(void) {
  pthread_t seller;
  bool sold = false;
  if (pthread_create(&seller, NULL, sell, &sold) != 0) return 1;
  add(4);
  pthread_join(seller, NULL);
  if (!sold) add(0);
  pthread_mutex_lock(&mutex);
  assert(stock == (sold ? 2 : 9));
  pthread_mutex_unlock(&mutex);
  return 0;
}
