/* C11 threads. */

#include <stdatomic.h>
#include <threads.h>
#include <time.h>

#include "cases.h"

static mtx_t mutex;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static atomic_int counter;
static thread_local int mine;
static int ready;
static int result;

static int run_both(int (*first)(void*), int (*second)(void*)) {
  static int one = 1, two = 2;
  thrd_t a, b;
  int of_a, of_b;
  thrd_create(&a, first, &one);
  thrd_create(&b, second, &two);
  thrd_join(a, &of_a);
  thrd_join(b, &of_b);
  return 10 * of_a + of_b;
}

static int returns(void* argument) { return 2 * *(int*)argument; }

static int exits(void* argument) {
  thrd_exit(3 * *(int*)argument);
  return 0;
}

static void results(void) { printf("%d\n", run_both(returns, exits)); }

static int add(void* argument) {
  mtx_lock(&mutex);
  result += *(int*)argument;
  mtx_unlock(&mutex);
  return 0;
}

static void lock(void) {
  mtx_init(&mutex, mtx_plain);
  run_both(add, add);
  printf("%d\n", result);
  mtx_destroy(&mutex);
}

static void recursive(void) {
  mtx_init(&mutex, mtx_plain | mtx_recursive);
  mtx_lock(&mutex);
  printf("%d\n", mtx_trylock(&mutex) == thrd_success);
  mtx_unlock(&mutex);
  mtx_unlock(&mutex);
}

static int hold(void* argument) {
  mtx_lock(&mutex);
  mtx_unlock(&mutex);
  return *(int*)argument;
}

static int try_lock(void* argument) {
  result = mtx_trylock(&mutex);
  if (result == thrd_success) mtx_unlock(&mutex);
  return *(int*)argument;
}

static int timed_lock(void* argument) {
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  deadline.tv_sec += 1;
  result = mtx_timedlock(&mutex, &deadline);
  if (result == thrd_success) mtx_unlock(&mutex);
  return *(int*)argument;
}

static void trylock(void) {
  mtx_init(&mutex, mtx_plain);
  run_both(hold, try_lock);
  printf("%s\n", result == thrd_busy ? "busy" : "got");
}

static void timedlock(void) {
  mtx_init(&mutex, mtx_timed);
  run_both(hold, timed_lock);
  printf("%s\n", result == thrd_timedout ? "busy" : "got");
}

static int set_ready(void* argument) {
  mtx_lock(&mutex);
  ready = 1;
  mtx_unlock(&mutex);
  cnd_signal(&condition);
  return *(int*)argument;
}

static int wait_ready(void* argument) {
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  return *(int*)argument;
}

static int wait_a_while(void* argument) {
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  deadline.tv_sec += 1;
  int status = thrd_success;
  mtx_lock(&mutex);
  while (!ready && status == thrd_success) status = cnd_timedwait(&condition, &mutex, &deadline);
  result = ready;
  mtx_unlock(&mutex);
  return *(int*)argument;
}

static void wait(void) {
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  run_both(wait_ready, set_ready);
  cnd_destroy(&condition);
  printf("ready\n");
}

static void timedwait(void) {
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  run_both(wait_a_while, set_ready);
  printf("%s\n", result ? "ready" : "timeout");
}

static void initialise(void) { ++result; }

static int initialise_once(void* argument) {
  call_once(&once, initialise);
  return *(int*)argument;
}

static void only_once(void) {
  run_both(initialise_once, initialise_once);
  printf("%d\n", result);
}

static void destroy(void* value) { result += *(int*)value; }

static int set_key(void* argument) {
  tss_set(key, argument);
  mine = *(int*)argument;
  atomic_fetch_add(&counter, 1);
  return tss_get(key) == argument && mine == *(int*)argument;
}

static void storage(void) {
  tss_create(&key, destroy);
  const int own = run_both(set_key, set_key);
  printf("%d %d %d\n", own, result, mine);
  tss_delete(key);
}

static int yields(void* argument) {
  atomic_fetch_add(&counter, *(int*)argument);
  thrd_yield();
  const struct timespec day = {86400, 0};
  thrd_sleep(&day, NULL);
  return 0;
}

static void yield_and_sleep(void) {
  run_both(yields, yields);
  printf("%d\n", atomic_load(&counter));
}

CASES_MAIN({"results", results}, {"lock", lock}, {"recursive", recursive}, {"trylock", trylock},
           {"timedlock", timedlock}, {"wait", wait}, {"timedwait", timedwait}, {"only_once", only_once},
           {"storage", storage}, {"yield_and_sleep", yield_and_sleep})
