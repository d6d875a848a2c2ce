// Takes its first argument away, as libraries do with their own options, and writes into the second.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* lock_once(void* nothing) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return nothing;
}

int main(int argc, char** argv) {
  printf("%d %s %s\n", argc, argv[1], argv[2]);
  argv[1] = argv[2];
  argv[1][0] = '?';
  argv[2] = NULL;
  pthread_t other;
  pthread_create(&other, NULL, lock_once, NULL);
  lock_once(NULL);
  return pthread_join(other, NULL);
}
