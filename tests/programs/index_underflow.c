/* A stack of two elements that two threads pop without asking who comes first whether there is one left. */
// norn: bug memory
// norn expects: underflow
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long* elements;
static long size;

static int is_empty(void) {
  pthread_mutex_lock(&mutex);
  int empty = size == 0;
  pthread_mutex_unlock(&mutex);
  return empty;
}

static void* pop(void* unused) {
  if (is_empty()) return NULL;
  pthread_mutex_lock(&mutex);
  elements[--size] = 0;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  elements = malloc(sizeof *elements);
  elements[size++] = 7;
  for (int i = 0; i < 2; ++i)
    if (pthread_create(&threads[i], NULL, pop, NULL) != 0) return 1;
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  free(elements);
  return 0;
}
