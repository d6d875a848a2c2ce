/* Two threads write an atomic and read it back (an argument "deadlocks": lock two mutexes in opposite orders). With
 * stores S and loads L, a run that fails ends at once:
 *   S1 L1 S2 L2 and S2 L2 S1 L1 are right; in S1 S2 L1 and S1 S2 L2 L1 the first thread fails, in S2 S1 L2 and
 *   S2 S1 L1 L2 the second: 6 runs, 2 bugs of 2 runs each.
 * With locks F1 F2 of one thread and B2 B1 of the other: F1 F2 B2 B1, B2 B1 F1 F2, and the deadlocks F1 B2 and B2 F1.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static atomic_int value;

static void* forwards(void* argument) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return argument;
}

static void* backwards(void* argument) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return argument;
}

static void* set_one(void* argument) {
  atomic_store(&value, 1);
  assert(atomic_load(&value) == 1);
  return argument;
}

static void* set_two(void* argument) {
  atomic_store(&value, 2);
  assert(atomic_load(&value) == 2);
  return argument;
}

static void both(void* (*one)(void*), void* (*other)(void*)) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, one, NULL);
  pthread_create(&threads[1], NULL, other, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "deadlocks") == 0)
    both(forwards, backwards);
  else
    both(set_one, set_two);
}
