/* Functions on texts, numbers, times and files. */

#define _GNU_SOURCE
#include "library_call.h"

#include <fcntl.h>
#include <stdio.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static char other[64];

/* GCC would put the short ones in place. */
static void copies(void) { memcpy(buffer + 8, "0123456789abcdef", 16); }
static void fills(void) { memset(buffer + 8, 1, 8); }
static void clears(void) { bzero(buffer + 8, 8); }
static void copies_text(void) { strcpy(buffer + 8, "there"); }
static void adds_text(void) { strcat(buffer + 8, "cd"); }
static void prints(void) { sprintf(buffer + 8, "text"); }
static void compares(void) { result = memcmp(buffer + 8, "ab", 2) == 0; }
static void compares_text(void) { result = strncmp(buffer + 8, "abc", 2) == 0; }

static void splits(void) {
  char* rest;
  result = strtok_r(buffer + 8, " ", &rest) != NULL;
}
static void splits_by_itself(void) { result = strtok(buffer + 8, " ") != NULL; }
static void reads_number(void) { result = strtol(buffer + 8, NULL, 10); }
static void spans(void) { result = (long)strspn(buffer + 8, "ab"); }
static void scans(void) { result = sscanf("1 2 text", "%*d %hd %4c", (short*)(buffer + 8), other); }
static void scans_text(void) { result = sscanf("text 7", "%s %d", buffer + 8, (int*)other); }
static void scans_in_vain(void) { result = sscanf("1 x", "%d %d", (int*)other, (int*)(buffer + 8)); }

static void tells_time(void) { clock_gettime(CLOCK_REALTIME, (struct timespec*)(buffer + 16)); }
static void tells_date(void) {
  const time_t when = 0;
  gmtime_r(&when, (struct tm*)(void*)(buffer + 8));
}
static void formats_date(void) {
  const struct tm when = {0};
  result = (long)strftime(buffer + 8, 16, "%M:%S", &when);
}

static FILE* file(const char* text) {
  FILE* made = tmpfile();
  fputs(text, made);
  rewind(made);
  return made;
}
static void reads_file(void) { result = read(fileno(file("text")), buffer + 8, 16); }
static void reads_part(void) { result = pread(fileno(file("some text")), buffer + 8, 3, 5); }
static void writes_file(void) { result = write(fileno(file("")), buffer + 8, 3); }
static void reads_line(void) {
  char* line = buffer + 8;
  size_t room = 32;
  result = getline(&line, &room, file("one\ntwo\n"));
}
static void scans_file(void) { result = fscanf(file("12"), "%d", (int*)(buffer + 8)); }

/* Operands of atomic operations are plain variables. */

struct Large {
  long first, middle, last;
};
static struct Large large;
static int small;

static void expects_in_vain(void) {
  small = 1;
  result = __atomic_compare_exchange_n(&small, (int*)(void*)(buffer + 8), 2, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static void expects(void) {
  result = __atomic_compare_exchange_n(&small, (int*)(void*)(buffer + 8), 2, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static void loads_large(void) { __atomic_load(&large, (struct Large*)(void*)(buffer + 8), __ATOMIC_RELAXED); }
static void stores_large(void) { __atomic_store(&large, (struct Large*)(void*)(buffer + 8), __ATOMIC_RELAXED); }
static void exchanges_large(void) {
  struct Large old;
  __atomic_exchange(&large, (struct Large*)(void*)(buffer + 8), &old, __ATOMIC_RELAXED);
}
static void gets_large(void) {
  struct Large desired = {1, 2, 3};
  __atomic_exchange(&large, &desired, (struct Large*)(void*)(buffer + 8), __ATOMIC_RELAXED);
}
static void expects_large(void) {
  struct Large desired = {1, 2, 3};
  result = __atomic_compare_exchange(&large, (struct Large*)(void*)(buffer + 8), &desired, 0, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}
static void desires_large(void) {
  struct Large expected = {0, 0, 0};
  result = __atomic_compare_exchange(&large, &expected, (struct Large*)(void*)(buffer + 8), 0, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

CALLS_MAIN(CALL(copies), CALL(fills), CALL(clears), CALL(copies_text), CALL(adds_text), CALL(prints), CALL(compares),
           CALL(compares_text), CALL(splits), CALL(splits_by_itself), CALL(reads_number), CALL(spans), CALL(scans),
           CALL(scans_text), CALL(scans_in_vain), CALL(tells_time), CALL(tells_date), CALL(formats_date),
           CALL(reads_file), CALL(reads_part), CALL(writes_file), CALL(reads_line), CALL(scans_file),
           CALL(expects_in_vain), CALL(expects), CALL(loads_large), CALL(stores_large), CALL(exchanges_large),
           CALL(gets_large), CALL(expects_large), CALL(desires_large))
