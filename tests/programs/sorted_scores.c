/* The scores are sorted, by the C library, while somebody reads the best of them. */
// norn: bug data-race
#include <pthread.h>
#include <stdlib.h>

static int scores[4] = {30, 10, 40, 20};

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* sort(void* unused) {
  qsort(scores, 4, sizeof scores[0], compare);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sort, NULL);
  const int best = scores[3];
  pthread_join(thread, NULL);
  return best == 0;
}
