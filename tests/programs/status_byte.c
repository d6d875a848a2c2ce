// One thread stores a word, another one looks at one byte of it. Both are atomic.
//
// norn: bug assertion
#include <assert.h>
#include <pthread.h>

static unsigned word;

static void* finish(void* unused) {
  __atomic_store_n(&word, 0x0100, __ATOMIC_RELEASE);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
  assert(__atomic_load_n((unsigned char*)&word + 1, __ATOMIC_ACQUIRE) == 0);
  pthread_join(thread, 0);
  return 0;
}
