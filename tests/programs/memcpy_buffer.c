/* A frame that one thread copies into a buffer with memcpy while another copies it out. */
// norn: bug data-race
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { WIDTH = 64 };

static unsigned char buffer[WIDTH];
static atomic_int frames;

static void* capture(void* unused) {
  (void)unused;
  unsigned char frame[WIDTH];
  memset(frame, 0x7f, sizeof frame);
  memcpy(buffer, frame, sizeof buffer);
  atomic_fetch_add(&frames, 1);
  return NULL;
}

static int brightness(void) {
  unsigned char frame[WIDTH];
  memcpy(frame, buffer, sizeof frame);
  int sum = 0;
  for (int i = 0; i < WIDTH; i++) sum += frame[i];
  return sum / WIDTH;
}

int main(void) {
  pthread_t camera;
  if (pthread_create(&camera, NULL, capture, NULL) != 0) return 1;
  int shown = brightness();
  pthread_join(camera, NULL);
  return shown > 0x7f;
}
