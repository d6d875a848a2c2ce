/* Transfers between accounts that lock the payer first and the payee second: three accounts that pay each other in a
 * circle can lock each other out. */
// norn: bug deadlock
// norn expects: Each waits for the next
#include <assert.h>
#include <pthread.h>

enum { ACCOUNTS = 3 };

struct account {
  pthread_mutex_t mutex;
  long cents;
};

static struct account accounts[ACCOUNTS];

static void transfer(struct account* from, struct account* to, long cents) {
  pthread_mutex_lock(&from->mutex);
  pthread_mutex_lock(&to->mutex);
  from->cents -= cents;
  to->cents += cents;
  pthread_mutex_unlock(&to->mutex);
  pthread_mutex_unlock(&from->mutex);
}

static void* pay_neighbour(void* argument) {
  long i = (long)argument;
  transfer(&accounts[i], &accounts[(i + 1) % ACCOUNTS], 50 * (i + 1));
  return NULL;
}

int main(void) {
  pthread_t threads[ACCOUNTS];
  for (long i = 0; i < ACCOUNTS; i++) {
    pthread_mutex_init(&accounts[i].mutex, NULL);
    accounts[i].cents = 1000;
  }
  for (long i = 0; i < ACCOUNTS; i++) {
    if (pthread_create(&threads[i], NULL, pay_neighbour, (void*)i) != 0) return 1;
  }
  for (int i = 0; i < ACCOUNTS; i++) pthread_join(threads[i], NULL);
  long sum = 0;
  for (int i = 0; i < ACCOUNTS; i++) sum += accounts[i].cents;
  assert(sum == 3000);
  return 0;
}
