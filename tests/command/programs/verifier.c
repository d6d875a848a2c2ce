// verifier WAY: the conventions of verification benchmarks (SV-COMP), among them GNU C89's idea of inline functions.

#include <pthread.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

void reach_error(void) {}

int count;
int flag;

inline int next(int number) { return number + 1; }

void __VERIFIER_atomic_add(void) { count = next(count); }

void* add_in_one_step(void* unused) {
  __VERIFIER_atomic_add();
  return unused;
}

void* add_in_two_steps(void* unused) {
  int before = count;
  count = next(before);
  return unused;
}

void* set_flag(void* unused) {
  flag = 1;
  return unused;
}

void* look_twice(void* unused) {
  int first = flag;
  if (flag != first) reach_error();
  return unused;
}

void* fail_after_flag(void* unused) {
  __VERIFIER_assume(flag);
  reach_error();
  return unused;
}

void* wait_for_input(void* unused) {
  while (flag != 2 && !__VERIFIER_nondet_int())
    ;
  return unused;
}

void run_both(void* (*one)(void*), void* (*other)(void*)) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, other, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}

void create_for_ever(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set_flag, 0);
  while (1) pthread_create(&thread, 0, fail_after_flag, 0);
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "one step") == 0) run_both(add_in_one_step, add_in_one_step);
  if (strcmp(way, "two steps") == 0) run_both(add_in_two_steps, add_in_two_steps);
  if (strcmp(way, "two looks") == 0) run_both(set_flag, look_twice);
  if (strcmp(way, "input") == 0) run_both(wait_for_input, set_flag);
  if (strcmp(way, "threads") == 0) create_for_ever();
  if (strstr(way, "step") != 0 && count != 2) reach_error();
  return 0;
}
