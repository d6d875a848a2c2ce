/* Producer and consumer with POSIX semaphores, where the producer waits for a free slot while it holds the mutex that
 * the consumer needs to free one. */
// norn: bug deadlock
// norn expects: waits to acquire free_slots
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { SLOTS = 1, ITEMS = 2 };

static sem_t free_slots, items;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int slots[SLOTS];
static unsigned in, out;

static void put(int item) {
  pthread_mutex_lock(&mutex);
  sem_wait(&free_slots);
  slots[in++ % SLOTS] = item;
  pthread_mutex_unlock(&mutex);
  sem_post(&items);
}

static int get(void) {
  sem_wait(&items);
  pthread_mutex_lock(&mutex);
  int item = slots[out++ % SLOTS];
  sem_post(&free_slots);
  pthread_mutex_unlock(&mutex);
  return item;
}

static void* produce(void* unused) {
  (void)unused;
  for (int i = 1; i <= ITEMS; i++) put(10 * i);
  return NULL;
}

int main(void) {
  pthread_t producer;
  sem_init(&free_slots, 0, SLOTS);
  sem_init(&items, 0, 0);
  if (pthread_create(&producer, NULL, produce, NULL) != 0) return 1;
  int sum = 0;
  for (int i = 0; i < ITEMS; i++) sum += get();
  pthread_join(producer, NULL);
  assert(sum == 30);
  return 0;
}
