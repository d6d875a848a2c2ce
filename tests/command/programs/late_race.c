/* What is published too weakly is read only if it comes first, and after that much happens that makes no difference. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int published;

static void busy(void) {
  atomic_int own = 0;
  while (own < 8) ++own;
}

static void* publish(void* unused) {
  data = 1;
  atomic_store_explicit(&published, 1, memory_order_relaxed);
  busy();
  return unused;
}

static void* use(void* unused) {
  const int is_published = atomic_load_explicit(&published, memory_order_relaxed);
  busy();
  return is_published && data == 0 ? &data : unused;
}

int main(void) {
  pthread_t user, publisher;
  pthread_create(&user, NULL, use, NULL);
  pthread_create(&publisher, NULL, publish, NULL);
  pthread_join(user, NULL);
  pthread_join(publisher, NULL);
  return 0;
}
