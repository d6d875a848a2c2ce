/* A list of work in C11 threads: workers take the next piece under a mutex, wait on a condition variable for more, and
 * go home when the list is closed. */
// norn: pass
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <threads.h>

enum { PIECES = 2, WORKERS = 2 };

static mtx_t mutex;
static cnd_t changed;
static int pieces[PIECES];
static int available, taken;
static bool closed;

static bool take(int* piece) {
  mtx_lock(&mutex);
  while (taken == available && !closed) cnd_wait(&changed, &mutex);
  bool found = taken < available;
  if (found) *piece = pieces[taken++];
  mtx_unlock(&mutex);
  return found;
}

static int work(void* unused) {
  (void)unused;
  int piece, done = 0;
  while (take(&piece)) done += piece;
  return done;
}

int main(void) {
  thrd_t workers[WORKERS];
  if (mtx_init(&mutex, mtx_plain) != thrd_success || cnd_init(&changed) != thrd_success) return 1;
  for (int i = 0; i < WORKERS; i++) {
    if (thrd_create(&workers[i], work, NULL) != thrd_success) return 1;
  }

  mtx_lock(&mutex);
  pieces[available++] = 5;
  pieces[available++] = 7;
  closed = true;
  cnd_broadcast(&changed);
  mtx_unlock(&mutex);

  int done = 0;
  for (int i = 0; i < WORKERS; i++) {
    int result = 0;
    thrd_join(workers[i], &result);
    done += result;
  }
  assert(done == 12);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
  return 0;
}
