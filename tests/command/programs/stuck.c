/* Computes for ever without any visible operation, where only one of many interleavings leads to. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order[64];
static int count;

static void* work(void* argument) {
  for (int i = 0; i < 8; i++) {
    pthread_mutex_lock(&mutex);
    order[count++] = argument != NULL;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t one, two;
  int changes = 0;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&two, NULL, work, &mutex);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  for (int i = 1; i < count; i++) changes += order[i] != order[i - 1];
  while (changes == 15) __asm__ volatile("" : "+r"(changes));
}
