/* A thread says when it has finished a computation, and main asks once. Arguments: how many thousand accesses to memory
 * the computation has, and "write", "read", or "before": main reads before there is a second thread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int numbers[1000];
static int rounds;
static atomic_int finished;

static int compute(int writes) {
  int sum = 0;
  for (int round = 0; round < rounds; ++round)
    for (int i = 0; i < 1000; ++i) {
      if (writes) {
        numbers[i] = round;
      } else {
        sum += numbers[i];
      }
    }
  return sum;
}

static void* work(void* how) {
  finished = compute(strcmp(how, "write") == 0) + 1;
  return NULL;
}

int main(int count, char** arguments) {
  pthread_t worker;
  if (count < 3) return 2;
  rounds = atoi(arguments[1]);
  if (strcmp(arguments[2], "before") == 0) {
    rounds = 1 + compute(0);
  }
  pthread_create(&worker, NULL, work, arguments[2]);
  atomic_load(&finished);
  pthread_join(worker, NULL);
  return 0;
}
