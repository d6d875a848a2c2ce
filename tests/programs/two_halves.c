/* Two threads with one half of a text each. The functions of the C library look no further than the first difference,
 * or than what they look for, which is in the half of the thread that calls them. */
// norn: pass
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[] = "key=....";

static void* read_first_half(void* unused) {
  assert(strchr(text, '=') == text + 3);
  assert(strcmp(text, "kex") > 0);
  assert(strncmp(text, "key=", 4) == 0);
  return unused;
}

static void* write_second_half(void* unused) {
  memcpy(text + 4, "true", 4);
  return unused;
}

int main(void) {
  pthread_t reader, writer;
  pthread_create(&reader, NULL, read_first_half, NULL);
  pthread_create(&writer, NULL, write_second_half, NULL);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  return strcmp(text, "key=true");
}
