/* POSIX condition variables with every kind of deadline, and POSIX semaphores. */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "cases.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
static int result;

/* How the waiter waits: until `deadline` of `clock`. */
static int (*wait_until)(const struct timespec* deadline);
static clockid_t clock_used;

static int by_realtime(const struct timespec* deadline) { return pthread_cond_timedwait(&condition, &mutex, deadline); }

static int by_clock(const struct timespec* deadline) {
  return pthread_cond_clockwait(&condition, &mutex, clock_used, deadline);
}

static void* waiter(void* argument) {
  struct timespec deadline, now;
  clock_gettime(clock_used, &deadline);
  deadline.tv_sec += 5;
  pthread_mutex_lock(&mutex);
  while (!ready && result == 0) result = wait_until(&deadline);
  const int is_ready = ready;
  pthread_mutex_unlock(&mutex);
  clock_gettime(clock_used, &now);
  if (result == ETIMEDOUT && now.tv_sec < deadline.tv_sec) printf("too early ");
  if (result == ETIMEDOUT && now.tv_sec > deadline.tv_sec + 1) printf("too late ");
  result = is_ready;
  return argument;
}

static void wait_with(int (*how)(const struct timespec*), clockid_t clock) {
  wait_until = how;
  clock_used = clock;
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&condition);
  pthread_join(thread, NULL);
  printf("%s\n", result ? "ready" : "timeout");
}

static void timedwait(void) { wait_with(by_realtime, CLOCK_REALTIME); }
static void clockwait(void) { wait_with(by_clock, CLOCK_MONOTONIC); }

static void monotonic_attribute(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&condition, &attributes);
  wait_with(by_realtime, CLOCK_MONOTONIC);
}

static void* wait_flag(void* argument) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void broadcast(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, wait_flag, NULL);
  pthread_create(&b, NULL, wait_flag, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&condition);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("ready\n");
}

/* Giving a recursive mutex back to wait gives it back completely, and takes it again as often. */
static void recursive_mutex(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_flag, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  printf("%d\n", pthread_mutex_unlock(&mutex) == EPERM);
}

static void without_mutex(void) { pthread_cond_wait(&condition, &mutex); }

/* Semaphores. */

static sem_t semaphore;

static void* acquire(void* argument) {
  sem_wait(&semaphore);
  return argument;
}

static void* release(void* argument) {
  sem_post(&semaphore);
  return argument;
}

static void pairs(int n) {
  pthread_t threads[6];
  sem_init(&semaphore, 0, 0);
  for (int i = 0; i < n; ++i) {
    pthread_create(&threads[2 * i], NULL, acquire, NULL);
    pthread_create(&threads[2 * i + 1], NULL, release, NULL);
  }
  for (int i = 0; i < 2 * n; ++i) pthread_join(threads[i], NULL);
  int value = -1;
  sem_getvalue(&semaphore, &value);
  printf("%d\n", value);
  sem_destroy(&semaphore);
}

static void pairs_1(void) { pairs(1); }
static void pairs_2(void) { pairs(2); }
static void pairs_3(void) { pairs(3); }

static void* try_wait(void* argument) {
  result = sem_trywait(&semaphore) == 0 ? 0 : errno;
  return argument;
}

static void* timed_wait(void* argument) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1;
  result = sem_timedwait(&semaphore, &deadline) == 0 ? 0 : errno;
  return argument;
}

static void* clock_wait(void* argument) {
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += 1;
  result = sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline) == 0 ? 0 : errno;
  return argument;
}

static void attempt(void* (*how)(void*)) {
  pthread_t thread;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, NULL, how, NULL);
  sem_post(&semaphore);
  pthread_join(thread, NULL);
  printf("%s\n", result == 0 ? "got" : result == EAGAIN ? "empty" : result == ETIMEDOUT ? "timeout" : "?");
}

static void sem_try(void) { attempt(try_wait); }
static void sem_timed(void) { attempt(timed_wait); }
static void sem_clock(void) { attempt(clock_wait); }

CASES_MAIN({"timedwait", timedwait}, {"clockwait", clockwait}, {"monotonic_attribute", monotonic_attribute},
           {"broadcast", broadcast}, {"recursive_mutex", recursive_mutex}, {"without_mutex", without_mutex},
           {"pairs_1", pairs_1}, {"pairs_2", pairs_2}, {"pairs_3", pairs_3}, {"sem_try", sem_try},
           {"sem_timed", sem_timed}, {"sem_clock", sem_clock})
