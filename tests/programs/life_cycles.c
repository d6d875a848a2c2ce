/* Every primitive initialised, used, destroyed and initialised again, in this order. */
// norn: pass
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed;
static pthread_rwlock_t lock;
static pthread_spinlock_t spin;
static sem_t items;
static int ready;

static void* use(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  sem_post(&items);
  return NULL;
}

static void live(void) {
  pthread_t thread;
  ready = 0;
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_init(&changed, NULL);
  pthread_rwlock_init(&lock, NULL);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&items, 0, 0);
  assert(pthread_create(&thread, NULL, use, NULL) == 0);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  sem_wait(&items);
  pthread_join(thread, NULL);
  sem_destroy(&items);
  pthread_spin_destroy(&spin);
  pthread_rwlock_destroy(&lock);
  pthread_cond_destroy(&changed);
  pthread_mutex_destroy(&mutex);
}

int main(void) {
  live();
  live();
  return 0;
}
