// Functions and variables of the program's own with names that the C library has as well: the program's calls are its
// own, and nobody else's.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct Door {
  pthread_mutex_t mutex;
  int passed;
};

int open = 1;
static struct Door door = {PTHREAD_MUTEX_INITIALIZER, 0};
static _Thread_local int lines;

void log(const char* text) {
  assert(text != NULL);
  ++lines;
}
void exp(const char* text) { log(text); }
int pow(struct Door* through) { return through->passed; }
void sqrt(void) { abort(); }
void close(struct Door* what) { assert(what == &door); }
int read(struct Door* what) { return pow(what); }
void send(struct Door* through) { ++through->passed; }

static void* pass(void* times) {
  for (int i = 0; i < *(int*)times; ++i) {
    pthread_mutex_lock(&door.mutex);
    log("passes");
    if (open) send(&door);
    pthread_mutex_unlock(&door.mutex);
  }
  exp("has passed");
  assert(lines == *(int*)times + 1);
  return NULL;
}

int main(void) {
  int times = 3;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, pass, &times);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(read(&door) == 9);
  close(&door);
  return 0;
}
