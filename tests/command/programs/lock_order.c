/* Two threads that take two locks in opposite orders, in ways in which that can or cannot be a deadlock. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;
static sem_t done;
static const char* way;

static int is(const char* name) { return strcmp(way, name) == 0; }

static void lock(pthread_rwlock_t* one, int share) {
  if (share) {
    pthread_rwlock_rdlock(one);
  } else {
    pthread_rwlock_wrlock(one);
  }
}

static void take_both(pthread_rwlock_t* first, pthread_rwlock_t* second) {
  int gated = is("guarded") || is("guarded by readers");
  if (gated) lock(&gate, is("guarded by readers"));
  lock(first, is("shared") || is("shared first"));
  if (!is("trying")) lock(second, is("shared"));
  if (!is("trying") || pthread_rwlock_trywrlock(second) == 0) pthread_rwlock_unlock(second);
  pthread_rwlock_unlock(first);
  if (gated) pthread_rwlock_unlock(&gate);
}

static void* forwards(void* unused) {
  take_both(&a, &b);
  if (is("handed over")) sem_post(&done);
  return unused;
}

static void* backwards(void* unused) {
  if (is("handed over")) sem_wait(&done);
  take_both(&b, &a);
  return unused;
}

static void* create_backwards(void* unused) {
  pthread_t other;
  pthread_create(&other, NULL, backwards, NULL);
  pthread_join(other, NULL);
  return unused;
}

/* Main takes them itself, before there is another thread, and perhaps once more. */
static void create_after(void* (*second)(void*)) {
  pthread_t other;
  forwards(NULL);
  pthread_create(&other, NULL, second, NULL);
  if (is("before and after")) forwards(NULL);
  pthread_join(other, NULL);
}

int main(int argc, char** argv) {
  pthread_t one, other;
  way = argc > 1 ? argv[1] : "";
  sem_init(&done, 0, 0);
  if (is("before it is created") || is("before and after")) return create_after(backwards), 0;
  if (is("by way of a third")) return create_after(create_backwards), 0;
  pthread_create(&one, NULL, forwards, NULL);
  if (is("one after the other")) pthread_join(one, NULL);
  pthread_create(&other, NULL, backwards, NULL);
  if (!is("one after the other")) pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
