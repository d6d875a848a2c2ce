/* The functions of Norn's runtime that are called by headers rather than by the compiler's instrumentation.
 *
 * Programs compiled by norn-c++ get their <semaphore>, <latch>, <barrier> and atomic waiting from Norn's shadow
 * headers, which are written in terms of these functions. Each call is one visible operation, where the
 * standard library would spin, hash addresses into waiter pools and enter the kernel. Under `norn check` the
 * operations are scheduled and recorded; in a program that runs natively they do their work directly, so
 * callers need no second path.
 *
 * The header is valid C and C++, includes nothing but <stddef.h>, and can be included from the middle of a
 * standard library header. */
#ifndef NORN_RUNTIME_ABI_H
#define NORN_RUNTIME_ABI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Atomic waiting (C++20 [atomics.wait]) ------------------------------------------------------------------- */

/* Returns at once if the `size` bytes at `address` differ from those at `old`; otherwise blocks until a
 * notification of `address`. Comparing and starting to wait are one step: a notification that follows a change
 * of the value is never lost. A notified waiter returns whatever the value is by then, so the caller loads the
 * value again with the memory order it wants, and waits again if it is not satisfied. The call itself orders
 * nothing; that load does. `address` may be the only thing left of an object whose value has changed: it is
 * not read again after the notification. */
void norn_address_wait(const void* address, unsigned size, const void* old);

/* Wakes one thread (all == 0: any of them) or all threads blocked in norn_address_wait on `address`. Only the
 * address counts: the memory is not accessed, because a woken thread may already have destroyed the object. */
void norn_address_notify(const void* address, int all);

/* Counting semaphores ([thread.sema]) --------------------------------------------------------------------- */

/* A semaphore is its counter, initialized by its owner and changed only by these functions. A release
 * synchronizes with the acquisitions that take what it gave. */

/* Blocks until the counter is positive, then decrements it. */
void norn_semaphore_acquire(ptrdiff_t* count);

/* Decrements the counter and returns 1 if it is positive, otherwise returns 0. Never blocks, never fails
 * without reason. */
int norn_semaphore_try_acquire(ptrdiff_t* count);

/* Like norn_semaphore_acquire, but may give up after `nanoseconds`: 1 acquired, 0 expired. A duration that is
 * not positive makes it norn_semaphore_try_acquire. Under `norn check` time is virtual: while the counter is
 * zero, expiring is a possible outcome whatever the duration. */
int norn_semaphore_try_acquire_for(ptrdiff_t* count, long long nanoseconds);

/* Adds `update` (not negative) to the counter and lets as many blocked threads go on. As with notifications,
 * the memory is not accessed once an acquisition can have succeeded. Under `norn check` it is an error if the counter
 * gets larger than `max`. */
void norn_semaphore_release(ptrdiff_t* count, ptrdiff_t update, ptrdiff_t max);

/* Barriers ([thread.barrier]) ----------------------------------------------------------------------------- */

/* Where everybody who uses a barrier arrives and waits in every phase, it makes no difference in which order they
 * come: that they have met is what counts. */
struct norn_meeting {
  unsigned long long users; /* zero at first */
  unsigned arrived;         /* zero at first */
  size_t expected;
};

/* The caller arrives, as one of those expected, and waits for the others. 0: all have met, and the last one has opened
 * the barrier. 1: the caller is the last one; it does what is to be done then and calls norn_barrier_open. -1: the
 * order makes a difference, or the program runs natively; nothing has been done. */
int norn_barrier_meet(struct norn_meeting* meeting);
void norn_barrier_open(struct norn_meeting* meeting);

/* From now on the order makes a difference: the caller arrives without waiting, or for several. */
void norn_barrier_in_order(void);

/* Exploring one function (norn/explore.hpp is the way to use it) ---------------------------------------------- */

/* Runs body(argument) in every way its threads can interleave, as `norn check` does with a whole program. `options`
 * is a JSON object with the names of the options of `norn check` (- written as _); may be "{}". The result is text
 * that the caller gives to free(): one line `name value` for verdict, complete, executions, distinct, deadlocks,
 * seconds, kind and message of the first bug, then an empty line and the report for a person. */
char* norn_explore(const char* options, void (*body)(void*), void* argument);

/* Whether the caller is being explored. */
int norn_exploring(void);

/* A property of the program does not hold: ends the run as a bug of kind "property". Outside of an exploration,
 * prints the message and aborts. */
void norn_fail(const char* message);

/* Asks for `predicate(memory)` to be called after every event of the run; it must not change anything. The run ends as
 * a bug of kind "property" when it returns 0. Returns `size` bytes that live as long as the run, for what the predicate
 * needs; a null pointer outside of an exploration, where nothing is checked. */
void* norn_always(int (*predicate)(void*), const char* message, size_t size) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
