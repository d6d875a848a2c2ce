/* Peterson's algorithm with the atomics of C, whose values compilers keep in variables that have no name. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Not static: Clang would take it that only one thread runs the function, and make them variables of it. */
atomic_int flag[2];
atomic_int turn;
int rounds;

static void* take_turns(void* number) {
  const int me = number != NULL;
  for (int i = 0; i < rounds; ++i) {
    flag[me] = 1;
    atomic_store(&turn, 1 - me);
    while (flag[1 - me] && turn == 1 - me) {
    }
    flag[me] = 0;
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, take_turns, i == 0 ? NULL : &rounds);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
