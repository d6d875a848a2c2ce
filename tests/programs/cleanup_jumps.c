/* The same as cleanup_handlers.c, as C is compiled where nothing is unwound: handlers are places to jump back to. */
// norn: pass
#undef __EXCEPTIONS

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int served, gone;

static void give_back(void* lock) { pthread_mutex_unlock(lock); }
static void count(void* number) { ++*(int*)number; }

static void serve(int most) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(give_back, &mutex);
  pthread_cleanup_push(count, &gone);
  if (++served > most) pthread_exit(NULL);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(1);
}

static void* serve_one_of_two(void* unused) {
  serve(1);
  return unused;
}

int main(void) {
  pthread_t first, second;
  if (pthread_create(&first, NULL, serve_one_of_two, NULL) != 0) return 1;
  if (pthread_create(&second, NULL, serve_one_of_two, NULL) != 0) return 1;
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(served == 2 && gone == 1);
  return 0;
}
