/* The less usual functions on texts, those on wide characters, and those that are given names or tell some. */

#define _GNU_SOURCE
#include "library_call.h"

#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static char other[256] = "abcd";
static wchar_t wide[8] = L"abcd";
#define TEXT (buffer + 8)
#define WIDE ((wchar_t*)(void*)(buffer + 8))

static void finds_one_of(void) { result = strpbrk(TEXT, "xc") != NULL; }
static void takes_part(void) {
  char* rest = TEXT;
  result = strsep(&rest, ",") != NULL;
}
static void copies_start(void) { free(strndup(TEXT, 3)); }
static void copies_until(void) { result = memccpy(TEXT, other, 'c', 8) != NULL; }
static void copies_padded(void) { stpncpy(TEXT, other, 8); }
static void finds_block(void) { result = memmem(TEXT, 8, "cd", 2) != NULL; }
static void finds_last_byte(void) { result = memrchr(TEXT, 'c', 8) != NULL; }
static void finds_byte(void) { result = rawmemchr(TEXT, 'c') != NULL; }
static void finds_byte_or_end(void) { result = strchrnul(TEXT, 'x') != NULL; }
static void finds_any_case(void) { result = strcasestr(TEXT, "CD") != NULL; }
static void collates(void) { result = strcoll(TEXT, other); }
static void transforms(void) { result = (long)strxfrm(TEXT, other, 16); }
static void compares_versions(void) { result = strverscmp(TEXT, other); }
static void changes_pairs(void) { swab(other, TEXT, 5); }
static void forgets(void) { explicit_bzero(TEXT, 8); }
static void explains_error(void) { result = strerror_r(12345, TEXT, 9) != NULL; }

static void measures_wide(void) { result = (long)wcslen(wide) + (long)wcslen(WIDE); }
static void copies_wide(void) { wcscpy(WIDE, wide); }
static void copies_wide_padded(void) { wcsncpy(WIDE, wide, 6); }
static void adds_wide(void) { wcscat(WIDE, wide); }
static void compares_wide(void) { result = wcscmp(WIDE, wide); }
static void finds_wide(void) { result = wcschr(WIDE, L'x') != NULL; }
static void copies_wide_block(void) { wmemcpy(WIDE, wide, 3); }
static void moves_wide_block(void) { wmemmove(WIDE, wide, 3); }
static void fills_wide_block(void) { wmemset(WIDE, L'x', 3); }
static void compares_wide_block(void) { result = wmemcmp(WIDE, wide, 3); }
static void prints_wide(void) { result = swprintf(WIDE, 8, L"%d", 123); }
static void widens(void) { result = (long)mbstowcs(WIDE, other, 8); }
static void narrows(void) { result = (long)wcstombs(TEXT, wide, 8); }

static void prints_new(void) {
  char* text = NULL;
  result = asprintf(&text, "%s", TEXT);
  free(text);
}
static void prints_to_file(void) { result = dprintf(fileno(tmpfile()), "%s", TEXT); }
static void writes_parts(void) {
  const struct iovec parts[] = {{other, 2}, {TEXT, 3}};
  result = writev(fileno(tmpfile()), parts, 2);
}
static void sends(void) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  result = send(ends[0], TEXT, 3, 0);
}

static void resolves(void) { result = realpath("/.", TEXT) != NULL; }
static void reads_link(void) { result = readlink("/proc/self/cwd", TEXT, 1); }
static void tells_status(void) { result = stat(TEXT, (struct stat*)(void*)other); }
static void opens(void) { result = fopen(TEXT, "r") == NULL; }
static void removes(void) { result = remove(TEXT); }
static void asks_access(void) { result = access(TEXT, R_OK); }
static void asks_environment(void) { result = getenv(TEXT) == NULL; }
static void formats_clock(void) {
  const time_t when = 0;
  result = ctime_r(&when, TEXT) != NULL;
}
static void draws(void) { result = rand_r((unsigned*)(void*)TEXT); }
static void draws_bytes(void) { result = getrandom(TEXT, 5, 0); }

CALLS_MAIN(CALL(finds_one_of), CALL(takes_part), CALL(copies_start), CALL(copies_until), CALL(copies_padded),
           CALL(finds_block), CALL(finds_last_byte), CALL(finds_byte), CALL(finds_byte_or_end), CALL(finds_any_case),
           CALL(collates), CALL(transforms), CALL(compares_versions), CALL(changes_pairs), CALL(forgets),
           CALL(explains_error), CALL(measures_wide), CALL(copies_wide), CALL(copies_wide_padded), CALL(adds_wide),
           CALL(compares_wide), CALL(finds_wide), CALL(copies_wide_block), CALL(moves_wide_block),
           CALL(fills_wide_block), CALL(compares_wide_block), CALL(prints_wide), CALL(widens), CALL(narrows),
           CALL(prints_new), CALL(prints_to_file), CALL(writes_parts), CALL(sends), CALL(resolves), CALL(reads_link),
           CALL(tells_status), CALL(opens), CALL(removes), CALL(asks_access), CALL(asks_environment),
           CALL(formats_clock), CALL(draws), CALL(draws_bytes))
