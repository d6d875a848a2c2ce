/* Counts while a flag is set, which is for ever: no round is like another one. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void* count(void* unused) {
  volatile long rounds = 0;
  while (flag == 1) rounds = rounds + 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  flag = 1;
  pthread_join(thread, NULL);
  return 0;
}
