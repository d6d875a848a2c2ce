/* Two threads add to a local variable of main, which is on its stack. */
#include <assert.h>
#include <pthread.h>

static void* add(void* sum) {
  ++*(volatile int*)sum;
  return 0;
}

int main(void) {
  volatile int sum = 0;
  pthread_t one, other;
  pthread_create(&one, 0, add, (void*)&sum);
  pthread_create(&other, 0, add, (void*)&sum);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(sum == 2);
  return 0;
}
