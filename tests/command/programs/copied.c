/* A text that the C library allocates, for which it may have debug information. */
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* text = strdup("text");
  free(text);
  return text[0];
}
