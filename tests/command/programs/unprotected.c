/* Two threads that count without any protection. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int count;

static void* add_one(void* unused) {
  int before = count;
  count = before + 1;
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, add_one, NULL);
  pthread_create(&other, NULL, add_one, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(count == 2);
  return 0;
}
