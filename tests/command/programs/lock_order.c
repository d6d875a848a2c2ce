/* Two threads that take two mutexes in opposite orders, in ways in which that can or cannot be a deadlock. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int guarded;
static int trying;

static void take_both(pthread_mutex_t* first, pthread_mutex_t* second) {
  if (guarded) pthread_mutex_lock(&gate);
  pthread_mutex_lock(first);
  if (!trying) pthread_mutex_lock(second);
  if (!trying || pthread_mutex_trylock(second) == 0) pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  if (guarded) pthread_mutex_unlock(&gate);
}

static void* forwards(void* unused) {
  take_both(&a, &b);
  return unused;
}

static void* backwards(void* unused) {
  take_both(&b, &a);
  return unused;
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  pthread_t one, other;
  guarded = strcmp(way, "guarded") == 0;
  trying = strcmp(way, "trying") == 0;
  pthread_create(&one, NULL, forwards, NULL);
  if (strcmp(way, "one after the other") == 0) pthread_join(one, NULL);
  pthread_create(&other, NULL, backwards, NULL);
  if (strcmp(way, "one after the other") != 0) pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
