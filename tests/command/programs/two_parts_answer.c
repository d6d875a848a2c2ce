/* The second of two sources, in C: `new` is a name like any other here. */
#include <math.h>

int answer(void) {
  volatile double new = 1764;
  return (int)sqrt(new);
}
