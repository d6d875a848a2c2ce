/* The functions of Norn's runtime that are called by headers rather than by the compiler's instrumentation.
 *
 * Programs compiled by norn-c++ get their <semaphore>, <latch>, <barrier>, atomic waiting and a part of <future> from
 * Norn's shadow headers, which are written in terms of these functions. Each call is one visible operation, where the
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

/* Locks ([thread.lock.algorithm]) ------------------------------------------------------------------------- */

/* Something that can be locked by one thread at a time. */
struct norn_lockable {
  void* object;
  int is_rwlock; /* a pthread_rwlock_t, not a pthread_mutex_t */
};

/* Takes all of these, as if at once as soon as they are free: nobody sees that whoever waits holds some of them. They
 * may be put into another order. */
void norn_lock_together(struct norn_lockable* locks, unsigned count);

/* Condition variables ([thread.condition.condvar]) -------------------------------------------------------- */

struct timespec;

/* Waits for a pthread_cond_t until the clock (-1: that of the condition) shows `deadline`. The C++ library does not
 * look at the result, but at the clock: under `norn check` a thread that was notified sees there that it was in time.
 */
int norn_condition_wait_until(void* condition, void* mutex, int clock, const struct timespec* deadline);

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
 * order makes a difference, or the program runs natively; nothing has been done. `in_order`: it matters who is the last
 * one, but nothing else does. */
int norn_barrier_meet(struct norn_meeting* meeting, int in_order);
void norn_barrier_open(struct norn_meeting* meeting);

/* From now on the order makes a difference: the caller arrives without waiting, or for several. */
void norn_barrier_in_order(void);

/* Results that become ready at the exit of a thread --------------------------------------------------------- */

/* At the exit of the calling thread, after the destructors of its thread_local objects, callback(element) is called.
 * `element` begins with two pointers for the C++ library to use. */
void norn_at_thread_exit(void* element, void (*callback)(void* element));

/* Monitors, ports, entries and binary semaphores (norn/monitor.hpp and its like are the way to use them) --------- */

/* The headers do all this by themselves where there is no runtime of Norn's, or where nothing is explored; so these
 * functions are called in explorations only. */

/* What lets one thread at a time pass: zero at first. */
struct norn_door {
  unsigned owner;
};
/* One event: waits until nobody is inside. `again`: the caller was inside before and has been told to go on. */
void norn_door_enter(struct norn_door* door, int again) __attribute__((weak));
void norn_door_leave(struct norn_door* door) __attribute__((weak));
/* The caller, who is inside, lets in who waits at `place`, and is outside. */
void norn_door_hand_over(struct norn_door* door, void* place) __attribute__((weak));
/* The caller, who is outside, waits at `place` until it is let in. Reports say that it waits at `what`. */
void norn_door_wait(struct norn_door* door, void* place, const void* what) __attribute__((weak));

int norn_door_is_mine(const struct norn_door* door) __attribute__((weak));

/* Waits until another thread says to go on from `place`. Neither is an event. */
void norn_park(void* place, const void* what) __attribute__((weak));
void norn_unpark(void* place) __attribute__((weak));

/* One event each: waits until the count is one (zero), and sets it to zero (one). */
void norn_binary_acquire(ptrdiff_t* count) __attribute__((weak));
void norn_binary_release(ptrdiff_t* count) __attribute__((weak));

/* Messages that were sent and not received yet, of which those of one thread come in order. All zero at first. */
struct norn_message {
  struct norn_message* next;
  unsigned sender;
};
struct norn_mailbox {
  struct norn_message* first;
  unsigned receiver;
  unsigned unordered; /* not zero: the program says that the order of messages makes no difference to it */
};
/* No event. The message belongs to the mailbox until it is received. */
void norn_send(struct norn_mailbox* to, struct norn_message* message) __attribute__((weak));
/* The same if there is a message; otherwise a null pointer. `nanoseconds` is how long it waits, in virtual time: while
 * there is no message, that none comes is a possible outcome whatever the duration. */
struct norn_message* norn_poll(struct norn_mailbox* const* from, unsigned count, unsigned* which, long long nanoseconds)
    __attribute__((weak));
/* One event: waits until there is a message in one of `count` mailboxes, and takes it; *which is the mailbox it was in.
 * Which one it is is not determined, except that those of one thread to one mailbox come in order. */
struct norn_message* norn_receive(struct norn_mailbox* const* from, unsigned count, unsigned* which)
    __attribute__((weak));

/* Messages to be received in the order in which they are sent. All zero at first but the capacity. */
struct norn_bounded_mailbox {
  struct norn_message* first;
  unsigned receiver;
  size_t count;
  size_t capacity;
};
/* One event each: waits until there is room (a message). */
void norn_deposit(struct norn_bounded_mailbox* to, struct norn_message* message) __attribute__((weak));
struct norn_message* norn_withdraw(struct norn_bounded_mailbox* from) __attribute__((weak));

/* The caller is one of those threads that the program says are all the same. */
void norn_symmetric(const char* group) __attribute__((weak));

/* The program uses some of these: `auto` begins with reachability testing. */
void norn_uses_constructs(void) __attribute__((weak));

/* The program uses one of these in a way that is never right: ends the run as a bug of kind "misuse". */
void norn_misuse(const char* message) __attribute__((weak));

/* Exploring one function (norn/explore.hpp is the way to use it) ---------------------------------------------- */

/* Runs body(argument) in every way its threads can interleave, as `norn check` does with a whole program. `options`
 * is a JSON object with the names of the options of `norn check` (- written as _); may be "{}". The result is text
 * that the caller gives to free(): one line `name value` for verdict, complete, executions, distinct, deadlocks,
 * seconds, kind and message of the first bug, then an empty line and the report for a person. */
char* norn_explore(const char* options, void (*body)(void*), void* argument);

/* Whether the caller is being explored. */
int norn_exploring(void) __attribute__((weak));

/* A property of the program does not hold: ends the run as a bug of kind "property". Outside of an exploration,
 * prints the message and aborts. */
void norn_fail(const char* message);

/* For `norn check --self-check` (planted/): when the program ends, `bug` is called, with 1 if its threads are to
 * synchronize by locks and with 0 if by atomic operations. It fails with this message. */
#define NORN_PLANTED_BUG "the bug that --self-check planted"
void norn_plant(void (*bug)(int with_lock));

/* Asks for `predicate(memory)` to be called after every event of the run; it must not change anything. The run ends as
 * a bug of kind "property" when it returns 0. Returns `size` bytes that live as long as the run, for what the predicate
 * needs; a null pointer outside of an exploration, where nothing is checked. */
void* norn_always(int (*predicate)(void*), const char* message, size_t size) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
