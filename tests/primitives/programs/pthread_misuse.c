/* What POSIX calls undefined, and the errors that it defines instead. */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#include "cases.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void init(int type, int robustness) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robustness);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

/* Objects that were destroyed. */

static void destroyed_mutex(void) {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex);
}

static void destroyed_mutex_tried(void) {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_trylock(&mutex);
}

static void destroyed_mutex_twice(void) {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_destroy(&mutex);
}

static void destroyed_condition(void) {
  pthread_cond_destroy(&condition);
  pthread_cond_broadcast(&condition);
}

static void destroyed_condition_wait(void) {
  pthread_cond_destroy(&condition);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
}

static void destroyed_rwlock(void) {
  pthread_rwlock_destroy(&lock);
  pthread_rwlock_rdlock(&lock);
}

static void destroyed_spinlock(void) {
  pthread_spinlock_t spin;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_destroy(&spin);
  pthread_spin_lock(&spin);
}

static void destroyed_semaphore(void) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  sem_destroy(&semaphore);
  sem_post(&semaphore);
}

static void destroyed_barrier(void) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, 1);
  pthread_barrier_destroy(&barrier);
  pthread_barrier_wait(&barrier);
}

/* What is initialised anew is as good as new. */
static void reborn(void) {
  sem_t semaphore;
  pthread_barrier_t barrier;
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&condition, NULL);
    pthread_rwlock_init(&lock, NULL);
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    sem_post(&semaphore);
    sem_wait(&semaphore);
    pthread_barrier_wait(&barrier);
    pthread_mutex_destroy(&mutex);
    pthread_cond_destroy(&condition);
    pthread_rwlock_destroy(&lock);
    sem_destroy(&semaphore);
    pthread_barrier_destroy(&barrier);
  }
  mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  printf("reborn\n");
}

/* Objects that never were. */

static void never_a_mutex(void) {
  memset(&mutex, 0x5a, sizeof mutex);
  pthread_mutex_lock(&mutex);
}

static void never_a_semaphore(void) {
  sem_t semaphore;
  memset(&semaphore, 0xa5, sizeof semaphore);
  sem_post(&semaphore);
}

static void never_a_barrier(void) {
  pthread_barrier_t barrier;
  memset(&barrier, 0, sizeof barrier);
  pthread_barrier_wait(&barrier);
}

static void never_a_thread(void) { pthread_join((pthread_t)0x1234, NULL); }

/* Nobody carried what was added to the nanoseconds. */
static void no_time(void) {
  const struct timespec never = {0, 2000000000};
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  pthread_mutex_lock(&mutex);
  printf("%d", pthread_cond_timedwait(&condition, &mutex, &never) == EINVAL);
  printf("%d", pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &never) == EINVAL);
  pthread_mutex_unlock(&mutex);
  printf("%d", sem_timedwait(&semaphore, &never) == -1 && errno == EINVAL);
  printf("%d", pthread_rwlock_timedrdlock(&lock, &never) == EINVAL);
  printf("%d", pthread_rwlock_timedwrlock(&lock, &never) == EINVAL);
  printf("%d", nanosleep(&never, NULL) == -1 && errno == EINVAL);
  printf("%d\n", clock_nanosleep(CLOCK_MONOTONIC, 0, &never, NULL) == EINVAL);
}

static void no_clock(void) {
  const struct timespec moment = {0, 1000};
  struct timespec now;
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  pthread_mutex_lock(&mutex);
  printf("%d", pthread_cond_clockwait(&condition, &mutex, CLOCK_PROCESS_CPUTIME_ID, &moment) == EINVAL);
  pthread_mutex_unlock(&mutex);
  printf("%d", pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &moment) == EINVAL);
  printf("%d", sem_clockwait(&semaphore, 77, &moment) == -1 && errno == EINVAL);
  printf("%d", pthread_rwlock_clockrdlock(&lock, 77, &moment) == EINVAL);
  printf("%d", pthread_rwlock_clockwrlock(&lock, 77, &moment) == EINVAL);
  printf("%d", clock_gettime(77, &now) == -1 && errno == EINVAL);
  printf("%d", clock_nanosleep(77, 0, &moment, NULL) == EINVAL);
  printf("%d\n", clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0);
}

static void* lock_until_never(void* result) {
  const struct timespec never = {0, -1};
  *(int*)result = pthread_mutex_timedlock(&mutex, &never);
  return NULL;
}

/* Only who has to wait needs the time. */
static void no_time_to_wait(void) {
  int result = 0;
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, lock_until_never, &result);
  pthread_join(thread, NULL);
  pthread_mutex_unlock(&mutex);
  printf("%d\n", result == EINVAL);
}

static void wait_without_mutex(void) {
  init(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  printf("%d\n", pthread_cond_wait(&condition, &mutex) == EPERM);
}

static void* wait_with_two(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  while (!data) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

/* Who waits gives back the mutex once, however often it was taken. */
static void recursive_wait(void) {
  init(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_with_two, NULL);
  pthread_mutex_lock(&mutex);
  data = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}

static void* write_and_die(void* unused) {
  pthread_mutex_lock(&mutex);
  data = 1;
  return unused;
}

/* Whoever inherits a mutex sees what its owner did before it died. */
static void inherited_data(void) {
  init(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  pthread_t thread;
  pthread_create(&thread, NULL, write_and_die, NULL);
  if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  printf("%d\n", data);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}

/* Threads that are joined and detached in other ways than once. */

static pthread_t worker;

static void* joins_itself(void* unused) {
  pthread_join(pthread_self(), NULL);
  return unused;
}

static void self_joined(void) {
  pthread_create(&worker, NULL, joins_itself, NULL);
  pthread_join(worker, NULL);
}

static void* detaches_itself(void* unused) {
  pthread_detach(pthread_self());
  return unused;
}

static void detached_while_joined(void) {
  pthread_create(&worker, NULL, detaches_itself, NULL);
  pthread_join(worker, NULL);
}

static void* locks_once(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* joins_worker(void* unused) {
  pthread_join(worker, NULL);
  return unused;
}

static void joined_by_two(void) {
  pthread_t other;
  pthread_create(&worker, NULL, locks_once, NULL);
  pthread_create(&other, NULL, joins_worker, NULL);
  pthread_join(worker, NULL);
  pthread_join(other, NULL);
}

/* Keys that there are not. */

static pthread_key_t gone(void) {
  pthread_key_t key;
  pthread_key_create(&key, NULL);
  pthread_key_delete(key);
  return key;
}

static void gone_key_set(void) { pthread_setspecific(gone(), &data); }
static void gone_key_read(void) { pthread_getspecific(gone()); }
static void gone_key_deleted(void) { pthread_key_delete(gone()); }
static void gone_key_of_c11(void) { tss_get(gone()); }
static void never_a_key(void) { pthread_setspecific(77, &data); }
static void key_beyond_all(void) { pthread_getspecific(1000000); }

CASES_MAIN({"destroyed_mutex", destroyed_mutex}, {"destroyed_mutex_tried", destroyed_mutex_tried},
           {"destroyed_mutex_twice", destroyed_mutex_twice}, {"destroyed_condition", destroyed_condition},
           {"destroyed_condition_wait", destroyed_condition_wait}, {"destroyed_rwlock", destroyed_rwlock},
           {"destroyed_spinlock", destroyed_spinlock}, {"destroyed_semaphore", destroyed_semaphore},
           {"destroyed_barrier", destroyed_barrier}, {"reborn", reborn}, {"never_a_mutex", never_a_mutex},
           {"never_a_semaphore", never_a_semaphore}, {"never_a_barrier", never_a_barrier},
           {"never_a_thread", never_a_thread}, {"no_time", no_time}, {"no_clock", no_clock},
           {"no_time_to_wait", no_time_to_wait}, {"wait_without_mutex", wait_without_mutex},
           {"recursive_wait", recursive_wait}, {"inherited_data", inherited_data}, {"self_joined", self_joined},
           {"detached_while_joined", detached_while_joined}, {"joined_by_two", joined_by_two},
           {"gone_key_set", gone_key_set}, {"gone_key_read", gone_key_read}, {"gone_key_deleted", gone_key_deleted},
           {"gone_key_of_c11", gone_key_of_c11}, {"never_a_key", never_a_key}, {"key_beyond_all", key_beyond_all})
