/* POSIX threads in C: threads, mutexes of all kinds, rwlocks, spin locks, barriers, once, keys. */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "cases.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static atomic_int counter;
static int result;

static void run_both(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, (void*)1);
  pthread_create(&b, NULL, second, (void*)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

static struct timespec far_deadline(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += 10;
  return time;
}

/* Threads. */

static void* twice(void* argument) { return (void*)(2 * (intptr_t)argument); }

static void* exits(void* argument) {
  pthread_exit((void*)(3 * (intptr_t)argument));
  return NULL;
}

static void results(void) {
  pthread_t a, b;
  void *of_a, *of_b;
  pthread_create(&a, NULL, twice, (void*)5);
  pthread_create(&b, NULL, exits, (void*)5);
  pthread_join(a, &of_a);
  pthread_join(b, &of_b);
  printf("%d %d\n", (int)(intptr_t)of_a, (int)(intptr_t)of_b);
}

static void* count_up(void* argument) {
  (void)argument;
  ++counter;
  return NULL;
}

static void detach(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count_up, NULL);
  pthread_detach(thread);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &attributes, count_up, NULL);
  pthread_attr_destroy(&attributes);
  printf("%d\n", counter);
}

static void* speak(void* argument) {
  (void)argument;
  ++counter;
  printf("thread ");
  return NULL;
}

static void goodbye(void) { printf("goodbye\n"); }

/* The process goes on without its main thread, and ends as if by exit(0) with its last thread. */
static void main_exits(void) {
  pthread_t thread;
  atexit(goodbye);
  pthread_create(&thread, NULL, speak, NULL);
  printf("main ");
  pthread_exit(NULL);
}

static void join_twice(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count_up, NULL);
  pthread_join(thread, NULL);
  pthread_join(thread, NULL);
}

static void try_join(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count_up, NULL);
  const int early = pthread_tryjoin_np(thread, NULL);
  if (early != 0) pthread_join(thread, NULL);
  printf("%s\n", early == EBUSY ? "busy" : "joined");
}

/* Mutexes. */

static void init(pthread_mutex_t* object, int type, int robustness) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robustness);
  pthread_mutex_init(object, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

static void* add(void* argument) {
  pthread_mutex_lock(&mutex);
  result += (int)(intptr_t)argument;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void normal(void) {
  run_both(add, add);
  printf("%d\n", result);
}

static void normal_relock(void) {
  init(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
}

static void recursive(void) {
  init(&mutex, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  int errors = pthread_mutex_lock(&mutex);
  errors += pthread_mutex_trylock(&mutex);
  errors += pthread_mutex_unlock(&mutex);
  errors += pthread_mutex_unlock(&mutex);
  printf("%d %d\n", errors, pthread_mutex_unlock(&mutex) == EPERM);
}

static void errorcheck(void) {
  init(&mutex, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  const int not_held = pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  const int again = pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  printf("%d %d\n", not_held == EPERM, again == EDEADLK);
}

static void errorcheck_trylock(void) {
  init(&mutex, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  pthread_mutex_lock(&mutex);
  printf("%d\n", pthread_mutex_trylock(&mutex) == EBUSY);
  pthread_mutex_unlock(&mutex);
}

static void* die_holding(void* argument) {
  pthread_mutex_lock(&mutex);
  return argument;
}

static void* inherit(void* argument) {
  (void)argument;
  const int error = pthread_mutex_lock(&mutex);
  if (error == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  result = error;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void robust(void) {
  init(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  run_both(die_holding, inherit);
  const int last = pthread_mutex_lock(&mutex);
  printf("%s, then %s\n", result == EOWNERDEAD ? "inherited" : "first", last == EOWNERDEAD ? "inherited" : "free");
  if (last == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void not_recoverable(void) {
  init(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  pthread_t thread;
  pthread_create(&thread, NULL, die_holding, NULL);
  pthread_join(thread, NULL);
  const int first = pthread_mutex_trylock(&mutex);
  pthread_mutex_unlock(&mutex);
  printf("%d %d\n", first == EOWNERDEAD, pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
}

static void robust_not_owner(void) {
  init(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  printf("%d\n", pthread_mutex_unlock(&mutex) == EPERM);
}

/* A mutex whose owner is gone stays locked if it is not robust. */
static void orphaned(void) { run_both(die_holding, add); }

static void* hold_mutex(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void* try_mutex(void* argument) {
  result = pthread_mutex_trylock(&mutex);
  if (result == 0) pthread_mutex_unlock(&mutex);
  return argument;
}

static void* timed_mutex(void* argument) {
  const struct timespec deadline = far_deadline(CLOCK_REALTIME);
  result = pthread_mutex_timedlock(&mutex, &deadline);
  if (result == 0) pthread_mutex_unlock(&mutex);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result == ETIMEDOUT && now.tv_sec < deadline.tv_sec) printf("too early\n");
  return argument;
}

static void trylock(void) {
  run_both(hold_mutex, try_mutex);
  printf("%s\n", result == EBUSY ? "busy" : "got");
}

static void timedlock(void) {
  run_both(hold_mutex, timed_mutex);
  printf("%s\n", result == ETIMEDOUT ? "busy" : "got");
}

static void not_held(void) { pthread_mutex_unlock(&mutex); }

/* Read-write locks. */

static void* read_result(void* argument) {
  pthread_rwlock_rdlock(&rwlock);
  if (result == 0) counter += (int)(intptr_t)argument;
  pthread_rwlock_unlock(&rwlock);
  return NULL;
}

static void* write_result(void* argument) {
  (void)argument;
  pthread_rwlock_wrlock(&rwlock);
  result = 1;
  pthread_rwlock_unlock(&rwlock);
  return NULL;
}

static void reader_writer(void) {
  run_both(read_result, write_result);
  printf("%d\n", counter);
}

static void* hold_writing(void* argument) {
  pthread_rwlock_wrlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  return argument;
}

static void* try_reading(void* argument) {
  result = pthread_rwlock_tryrdlock(&rwlock);
  if (result == 0) pthread_rwlock_unlock(&rwlock);
  return argument;
}

static void* timed_writing(void* argument) {
  const struct timespec deadline = far_deadline(CLOCK_MONOTONIC);
  result = pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &deadline);
  if (result == 0) pthread_rwlock_unlock(&rwlock);
  return argument;
}

static void rwlock_try(void) {
  run_both(hold_writing, try_reading);
  printf("%s\n", result == EBUSY ? "busy" : "got");
}

static void rwlock_timed(void) {
  run_both(hold_writing, timed_writing);
  printf("%s\n", result == ETIMEDOUT ? "busy" : "got");
}

static void rwlock_relock(void) {
  pthread_rwlock_wrlock(&rwlock);
  printf("%d %d\n", pthread_rwlock_wrlock(&rwlock) == EDEADLK, pthread_rwlock_rdlock(&rwlock) == EDEADLK);
  pthread_rwlock_unlock(&rwlock);
}

/* Spin locks. */

static void* spin_add(void* argument) {
  pthread_spin_lock(&spin);
  result += (int)(intptr_t)argument;
  pthread_spin_unlock(&spin);
  return NULL;
}

static void* spin_try(void* argument) {
  result = pthread_spin_trylock(&spin);
  if (result == 0) pthread_spin_unlock(&spin);
  return argument;
}

static void* spin_hold(void* argument) {
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  return argument;
}

static void spinlock(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  run_both(spin_add, spin_add);
  printf("%d\n", result);
}

static void spin_trylock(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  run_both(spin_hold, spin_try);
  printf("%s\n", result == EBUSY ? "busy" : "got");
}

/* Barriers. */

static void* meet(void* argument) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) result = (int)(intptr_t)argument;
  return NULL;
}

static void serial_thread(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  run_both(meet, meet);
  printf("%d\n", result);
  pthread_barrier_destroy(&barrier);
}

static void* meet_twice(void* argument) {
  const int before = result;
  const int first = pthread_barrier_wait(&barrier) != 0;
  if (first) ++result;
  const int second = pthread_barrier_wait(&barrier) != 0;
  if (second && result != 1) printf("out of phase ");
  return argument + before;
}

static void two_rounds(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  run_both(meet_twice, meet_twice);
  printf("%d\n", result);
}

static void barrier_alone(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_barrier_wait(&barrier);
}

/* Once. */

static void initialise(void) { ++result; }

static void* call_once_posix(void* argument) {
  pthread_once(&once, initialise);
  return argument;
}

static void only_once(void) {
  run_both(call_once_posix, call_once_posix);
  printf("%d\n", result);
}

/* Keys. */

static void destroy(void* value) { printf("destroyed %d\n", (int)(intptr_t)value); }

static void* set_key(void* argument) {
  pthread_setspecific(key, argument);
  ++counter;
  if (pthread_getspecific(key) != argument) printf("not mine\n");
  return NULL;
}

static void keys(void) {
  pthread_key_create(&key, destroy);
  const int fresh = pthread_getspecific(key) == NULL;
  run_both(set_key, set_key);
  printf("%d %d\n", fresh, pthread_getspecific(key) == NULL);
  pthread_key_delete(key);
}

/* Values of the main thread are not destroyed by exit: only the end of a thread does that. */
static void key_of_main(void) {
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, (void*)1);
  printf("main\n");
}

static void* refuse_to_be_cancelled(void* unused) {
  int state, type;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
  ++counter;
  if (state != PTHREAD_CANCEL_ENABLE || type != PTHREAD_CANCEL_DEFERRED) printf("not as usual\n");
  return unused;
}

static void cancel_state(void) {
  int state;
  run_both(refuse_to_be_cancelled, refuse_to_be_cancelled);
  printf("%d ", pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state) == 0 && state == PTHREAD_CANCEL_ENABLE);
  printf("%d\n", pthread_setcancelstate(7, &state) == EINVAL);
}

static void* is_on_its_stack(void* unused) {
  pthread_attr_t attributes;
  void* begin;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &begin, &size);
  printf("%d", (char*)&size > (char*)begin && (char*)&size < (char*)begin + size);
  pthread_attr_destroy(&attributes);
  return unused;
}

static void own_stack(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, is_on_its_stack, NULL);
  pthread_join(thread, NULL);
  is_on_its_stack(NULL);
  printf("\n");
}

CASES_MAIN({"results", results}, {"detach", detach}, {"main_exits", main_exits}, {"join_twice", join_twice},
           {"try_join", try_join}, {"normal", normal}, {"normal_relock", normal_relock}, {"recursive", recursive},
           {"errorcheck", errorcheck}, {"errorcheck_trylock", errorcheck_trylock}, {"robust", robust},
           {"not_recoverable", not_recoverable}, {"robust_not_owner", robust_not_owner}, {"orphaned", orphaned},
           {"trylock", trylock}, {"timedlock", timedlock}, {"not_held", not_held}, {"reader_writer", reader_writer},
           {"rwlock_try", rwlock_try}, {"rwlock_timed", rwlock_timed}, {"rwlock_relock", rwlock_relock},
           {"spinlock", spinlock}, {"spin_trylock", spin_trylock}, {"serial_thread", serial_thread},
           {"two_rounds", two_rounds}, {"barrier_alone", barrier_alone}, {"only_once", only_once}, {"keys", keys},
           {"key_of_main", key_of_main}, {"cancel_state", cancel_state}, {"own_stack", own_stack})
