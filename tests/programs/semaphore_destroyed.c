/* A door that is taken away with its semaphore while a guest still waits to be let in. */
// norn: bug misuse
// norn expects: destroyed while threads wait for it
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t arrived, door;

static void* enter(void* unused) {
  (void)unused;
  sem_post(&arrived);
  sem_wait(&door);
  return NULL;
}

int main(void) {
  pthread_t guest;
  sem_init(&arrived, 0, 0);
  sem_init(&door, 0, 0);
  if (pthread_create(&guest, NULL, enter, NULL) != 0) return 1;
  sem_wait(&arrived);
  sem_destroy(&door);
  pthread_join(guest, NULL);
  return 0;
}
