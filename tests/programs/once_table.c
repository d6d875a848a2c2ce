/* A table that is computed at first use, with pthread_once. */
// norn: pass
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { BYTES = 256 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned char bits[BYTES];
static int computed;

static void compute(void) {
  for (int i = 1; i < BYTES; i++) bits[i] = (unsigned char)(bits[i / 2] + i % 2);
  computed++;
}

static int count_bits(unsigned value) {
  pthread_once(&once, compute);
  int count = 0;
  for (; value != 0; value /= BYTES) count += bits[value % BYTES];
  return count;
}

static void* ask(void* unused) {
  (void)unused;
  assert(count_bits(0xf0f1) == 9);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    if (pthread_create(&threads[i], NULL, ask, NULL) != 0) return 1;
  }
  assert(count_bits(7) == 3);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(computed == 1);
  return 0;
}
