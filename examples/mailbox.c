/* A mailbox whose readers wait with `if` where it takes `while`: between the letter's arrival and the moment the woken
 * reader has the lock again, another reader can come and take the letter. */
// norn: bug assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int letters;

static void deliver(void) {
  pthread_mutex_lock(&mutex);
  letters++;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&mutex);
}

static void* collect(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  if (letters == 0) pthread_cond_wait(&arrived, &mutex); /* `while` would do it right */
  assert(letters > 0);
  letters--;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t readers[2];
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&readers[i], NULL, collect, NULL) != 0) return 1;
  }
  deliver();
  deliver();
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  return 0;
}
