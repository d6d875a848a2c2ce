/* A run without an end, all of it visible. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long rounds;

int main(void) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    ++rounds;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 20000; i++) __asm__ volatile("");
  }
}
