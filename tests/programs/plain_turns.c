// Two threads take turns by a plain variable that both look at in a loop. That is a race, but nobody waits for ever.
//
// norn: pass
// norn options: --plain visible --races ignore
#include <pthread.h>
#include <sched.h>

static volatile int turn;

static void* worker(void* unused) {
  for (int i = 0; i < 2; i++) {
    while (turn != 1) sched_yield();
    turn = 0;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  for (int i = 0; i < 2; i++) {
    while (turn != 0) sched_yield();
    turn = 1;
  }
  pthread_join(thread, 0);
  return 0;
}
