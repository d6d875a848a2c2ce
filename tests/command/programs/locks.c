/* locks THREADS ROUNDS: so many threads lock and unlock one mutex so many times each. The main thread only joins, so
 * there are (threads * rounds)! / (rounds!)^threads interleavings. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void* work(void* argument) {
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(int argc, char** argv) {
  pthread_t threads[8];
  int count = argc > 1 ? atoi(argv[1]) : 2;
  rounds = argc > 2 ? atoi(argv[2]) : 1;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}
