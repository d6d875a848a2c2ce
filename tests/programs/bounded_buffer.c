/* A bounded buffer as a monitor with two condition variables, one for each reason to wait: two producers, one consumer,
 * room for one item. */
// norn: pass
#include <assert.h>
#include <pthread.h>

enum { CAPACITY = 1 };

struct buffer {
  pthread_mutex_t mutex;
  pthread_cond_t not_full, not_empty;
  int items[CAPACITY];
  int first, count;
};

static struct buffer buffer = {
    .mutex = PTHREAD_MUTEX_INITIALIZER, .not_full = PTHREAD_COND_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER};

static void put(struct buffer* b, int item) {
  pthread_mutex_lock(&b->mutex);
  while (b->count == CAPACITY) pthread_cond_wait(&b->not_full, &b->mutex);
  b->items[(b->first + b->count) % CAPACITY] = item;
  b->count++;
  pthread_cond_signal(&b->not_empty);
  pthread_mutex_unlock(&b->mutex);
}

static int get(struct buffer* b) {
  pthread_mutex_lock(&b->mutex);
  while (b->count == 0) pthread_cond_wait(&b->not_empty, &b->mutex);
  int item = b->items[b->first];
  b->first = (b->first + 1) % CAPACITY;
  b->count--;
  pthread_cond_signal(&b->not_full);
  pthread_mutex_unlock(&b->mutex);
  return item;
}

static void* produce(void* item) {
  put(&buffer, *(int*)item);
  return NULL;
}

int main(void) {
  pthread_t producers[2];
  int items[2] = {3, 5};
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&producers[i], NULL, produce, &items[i]) != 0) return 1;
  }
  int product = get(&buffer) * get(&buffer);
  for (int i = 0; i < 2; i++) pthread_join(producers[i], NULL);
  assert(product == 15);
  assert(buffer.count == 0);
  return 0;
}
