#pragma once

// Where the state of a program's synchronization objects is kept: in the objects themselves, in the fields the
// C library declares. So it is initialised by the static initialisers, restored with the rest of the program's
// memory, and looked up for nothing.

#include <pthread.h>
#include <semaphore.h>

#include "norn/runtime_abi.h"
#include "trace/event.hpp"

namespace norn::exec {

/// Owners are stored as numbers that are no threads' for the C library. Zeroed memory means "free".
inline constexpr int first_owner_mark = 1 << 29;
inline int owner_mark(ThreadId thread) { return first_owner_mark + thread; }
/// The C library's number of the thread that becomes `main` in runs: it may hold locks from before.
inline int owner_before = 0;
inline ThreadId owner_thread(int mark) {
  if (mark >= first_owner_mark) return static_cast<ThreadId>(mark - first_owner_mark);
  return mark != 0 && mark == owner_before ? main_thread : no_thread;
}

/// What pthread_spin_init stores on x86-64. A spin lock that is taken is the negative mark of its owner.
inline constexpr int spin_lock_free = 1;

/// What objects that were destroyed have in a field that the C library's initialisers and Norn use for nothing else, or
/// never set to this.
inline constexpr unsigned destroyed_mark = 0xdeadd00d;

/// Where that is.
inline unsigned& life_of(pthread_mutex_t& mutex) { return reinterpret_cast<unsigned&>(mutex.__data.__kind); }
inline unsigned& life_of(pthread_cond_t& condition) { return condition.__data.__g1_orig_size; }
inline unsigned& life_of(pthread_rwlock_t& lock) { return lock.__data.__pad4; }
inline unsigned& life_of(sem_t& semaphore) { return reinterpret_cast<unsigned*>(&semaphore)[3]; }
inline unsigned& life_of(pthread_barrier_t& barrier) { return reinterpret_cast<unsigned*>(&barrier)[2]; }
inline unsigned& life_of(int& spin_lock) { return reinterpret_cast<unsigned&>(spin_lock); }

struct Mutex {
  pthread_mutex_t& object;

  /// The word `__lock` has the priority ceiling in its upper bits, if the mutex has one. In the others, the C library
  /// has 1, 2 or the number of a thread if it is held.
  static constexpr int held_bits = (1 << 19) - 1;

  explicit Mutex(void* address) : object(*static_cast<pthread_mutex_t*>(address)) {}
  [[nodiscard]] bool held() const { return (object.__data.__lock & held_bits) != 0; }
  [[nodiscard]] ThreadId owner() const { return owner_thread(object.__data.__owner); }
  [[nodiscard]] bool owned_by(ThreadId thread) const { return held() && owner() == thread; }
  [[nodiscard]] int type() const { return object.__data.__kind & 3; }
  /// Whether it has been initialised, as far as can be known: kinds have no more bits.
  [[nodiscard]] bool is_one() const { return (static_cast<unsigned>(object.__data.__kind) & ~0x3ffU) == 0; }
  [[nodiscard]] bool recursive() const { return type() == PTHREAD_MUTEX_RECURSIVE; }
  [[nodiscard]] bool checks_errors() const { return type() == PTHREAD_MUTEX_ERRORCHECK; }
  [[nodiscard]] bool robust() const { return (object.__data.__kind & 16) != 0; }
  /// Whether it is an error that is returned, and no misuse, if somebody else than the owner gives it back.
  [[nodiscard]] bool expects_owner() const { return checks_errors() || recursive() || robust(); }

  /// A call by `thread` would not wait: the mutex is free, or the answer is known.
  [[nodiscard]] bool answers(ThreadId thread) const {
    return !held() || (owner() == thread && (recursive() || checks_errors()));
  }
  void take(ThreadId thread) const {
    object.__data.__lock |= 1;
    object.__data.__owner = owner_mark(thread);
    object.__data.__count = 1;
  }
  void give_back() const {
    object.__data.__lock &= ~held_bits;
    object.__data.__owner = 0;
    object.__data.__count = 0;
  }
};

struct ReadWriteLock {
  pthread_rwlock_t& object;

  explicit ReadWriteLock(void* address) : object(*static_cast<pthread_rwlock_t*>(address)) {}
  [[nodiscard]] unsigned readers() const { return object.__data.__readers; }
  [[nodiscard]] ThreadId writer() const { return owner_thread(object.__data.__cur_writer); }
  [[nodiscard]] bool readable() const { return writer() == no_thread; }
  [[nodiscard]] bool writable() const { return readers() == 0 && writer() == no_thread; }
  void add_reader() const { ++object.__data.__readers; }
  void remove_reader() const { --object.__data.__readers; }
  void set_writer(ThreadId thread) const { object.__data.__cur_writer = owner_mark(thread); }
  void clear_writer() const { object.__data.__cur_writer = 0; }
};

/// sem_t keeps its value in the low half of its first word; std::counting_semaphore (Norn's) is a ptrdiff_t.
struct Semaphore {
  void* address;
  bool wide;

  [[nodiscard]] std::int64_t value() const {
    return wide ? *static_cast<std::int64_t*>(address) : *static_cast<std::uint32_t*>(address);
  }
  void add(std::int64_t amount) const {
    if (wide) {
      *static_cast<std::int64_t*>(address) += amount;
    } else {
      *static_cast<std::uint32_t*>(address) += static_cast<std::uint32_t>(amount);
    }
  }
};

/// The fields of glibc's pthread_barrier_t, and what comes after them.
struct Barrier {
  unsigned arrived;
  unsigned round;
  unsigned count;
  int shared;
  unsigned out;
  unsigned padding;
  unsigned long long users;  ///< one bit for each thread that has come here in this run
};
static_assert(sizeof(Barrier) == sizeof(pthread_barrier_t));

/// What a thread that receives looks at: the mailboxes that are open for it.
struct Receive {
  norn_mailbox* const* from;
  unsigned count;

  static std::uint64_t length(const norn_mailbox& box) {
    std::uint64_t messages = 0;
    for (const norn_message* message = box.first; message != nullptr; message = message->next) ++messages;
    return messages;
  }
  /// Calls `use(message, port)` with every message that can be next: the first of each sender in each mailbox.
  template <typename Use>
  void for_each_next(const Use& use) const {
    for (unsigned i = 0; i < count; ++i)
      for (const norn_message* message = from[i]->first; message != nullptr; message = message->next)
        if (is_first_of_sender(*from[i], message)) use(*message, i);
  }

 private:
  static bool is_first_of_sender(const norn_mailbox& box, const norn_message* message) {
    for (const norn_message* other = box.first; other != message; other = other->next)
      if (other->sender == message->sender) return false;
    return true;
  }
};

/// pthread_once_t (an int) or a guard of a function-local static (its second byte, as the first means "done").
struct Once {
  void* address;
  bool guard;

  [[nodiscard]] bool done() const { return guard ? bytes()[0] == 1 : *number() == 2; }
  [[nodiscard]] bool in_progress() const { return guard ? bytes()[1] == 1 : *number() == 1; }
  void begin() const { guard ? void(bytes()[1] = 1) : void(*number() = 1); }
  void finish() const {
    if (guard) bytes()[1] = 0;
    guard ? void(bytes()[0] = 1) : void(*number() = 2);
  }
  void give_up() const { guard ? void(bytes()[1] = 0) : void(*number() = 0); }

 private:
  [[nodiscard]] unsigned char* bytes() const { return static_cast<unsigned char*>(address); }
  [[nodiscard]] int* number() const { return static_cast<int*>(address); }
};

}  // namespace norn::exec
