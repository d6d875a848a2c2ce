/* Producer and consumer with POSIX semaphores: one counts the free slots, one the items, and a mutex protects the
 * positions. */
// norn: pass
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { SLOTS = 1, PRODUCERS = 2 };

static sem_t free_slots, items;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int slots[SLOTS];
static unsigned in, out;

static void put(int item) {
  sem_wait(&free_slots);
  pthread_mutex_lock(&mutex);
  slots[in++ % SLOTS] = item;
  pthread_mutex_unlock(&mutex);
  sem_post(&items);
}

static int get(void) {
  sem_wait(&items);
  pthread_mutex_lock(&mutex);
  int item = slots[out++ % SLOTS];
  pthread_mutex_unlock(&mutex);
  sem_post(&free_slots);
  return item;
}

static void* produce(void* item) {
  put(*(int*)item);
  return NULL;
}

int main(void) {
  pthread_t producers[PRODUCERS];
  int produced[PRODUCERS] = {10, 20};
  sem_init(&free_slots, 0, SLOTS);
  sem_init(&items, 0, 0);
  for (int i = 0; i < PRODUCERS; i++) {
    if (pthread_create(&producers[i], NULL, produce, &produced[i]) != 0) return 1;
  }
  int sum = 0;
  for (int i = 0; i < PRODUCERS; i++) sum += get();
  for (int i = 0; i < PRODUCERS; i++) pthread_join(producers[i], NULL);
  assert(sum == 30);
  sem_destroy(&items);
  sem_destroy(&free_slots);
  return 0;
}
