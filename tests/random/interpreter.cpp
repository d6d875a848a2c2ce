// Runs one program description (see description.hpp) with the real primitives of the standard library, POSIX and Norn,
// and prints its outcome as one line. An ordinary program: compiled with norn-c++ it is what the engine explores,
// compiled with g++ it runs natively.
//
//   interpreter DESCRIPTION|@FILE [JITTER]    JITTER: seed of random pauses between operations, for native runs

// The assertions are operations of the programs, whatever the build type.
#undef NDEBUG

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <string>
#include <thread>

#include "constructs.hpp"
#include "description.hpp"

namespace random_programs {
namespace {

constexpr auto short_time = std::chrono::milliseconds(1);

/// Everything the threads share. All but the primitives is constant while threads run, except that each thread
/// writes its own row of `results`.
struct World {
  World(const Program& described, unsigned jitter_seed) : program(described), jitter(jitter_seed) {
    for (unsigned i = 0; i < objects_per_kind; ++i) {
      atomics[i].store(program.initial_value('a', i));
      sem_init(&posix_semaphores[i], 0, static_cast<unsigned>(program.initial_value('p', i)));
      pthread_barrier_init(&posix_barriers[i], nullptr, static_cast<unsigned>(program.initial_value('k', i)));
    }
  }

  const Program program;
  const unsigned jitter;
  std::array<std::mutex, objects_per_kind> mutexes;
  std::array<std::timed_mutex, objects_per_kind> timed_mutexes;
  std::array<std::recursive_mutex, objects_per_kind> recursive_mutexes;
  std::array<std::shared_mutex, objects_per_kind> shared_mutexes;
  std::array<std::condition_variable, objects_per_kind> conditions;
  std::array<std::atomic<int>, objects_per_kind> atomics;
  std::counting_semaphore<> semaphores[objects_per_kind] = {std::counting_semaphore<>(program.initial_value('s', 0)),
                                                            std::counting_semaphore<>(program.initial_value('s', 1))};
  std::array<sem_t, objects_per_kind> posix_semaphores;
  std::barrier<> barriers[objects_per_kind] = {std::barrier<>(program.initial_value('b', 0)),
                                               std::barrier<>(program.initial_value('b', 1))};
  std::array<pthread_barrier_t, objects_per_kind> posix_barriers;
  std::array<std::once_flag, objects_per_kind> once_flags;
  std::array<pthread_once_t, objects_per_kind> posix_onces = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
  Constructs constructs{program};
  FinalValues results;
};

/// Never destroyed: in an unjoined program threads may use it until the process is gone. A global, because the
/// routine of pthread_once gets no argument.
World* world = nullptr;

template <unsigned index>
void once_body() {
  world->atomics[index].fetch_add(1);
}

constexpr void (*once_bodies[objects_per_kind])() = {once_body<0>, once_body<1>};

/// One thread of the program.
class Worker {
 public:
  explicit Worker(unsigned id)
      : thread_(world->program.threads[id]),
        may_lock_both_(may_lock_both(world->program, id)),
        registers_(world->results.registers[id]),
        constructs_(world->constructs, id),
        random_(world->jitter * 31 + id) {}

  void run() {
    for (unsigned next = 0; next < thread_.size; ++next) {
      const Operation& operation = thread_.operations[next];
      if (world->jitter != 0) pause();
      if (operation.verb == Verb::If) {
        next += holds(operation) ? operation.number : 0;
      } else {
        perform(operation);
      }
    }
    constructs_.leave_all();
    release_all();
    for (std::thread& child : children_)
      if (child.joinable()) world->program.unjoined ? child.detach() : child.join();
  }

 private:
  enum class Hold : std::uint8_t { None, Exclusive, Shared };

  void perform(const Operation& operation) {
    switch (operation.verb) {
      case Verb::Spawn:
      case Verb::Join: return perform_on_thread(operation);
      case Verb::Lock:
      case Verb::TryLock:
      case Verb::TryLockFor:
      case Verb::LockShared:
      case Verb::TryLockShared: return lock(operation);
      case Verb::LockBoth: return lock_both(operation.index);
      case Verb::Unlock: return unlock(operation.kind, operation.index, Hold::Exclusive);
      case Verb::UnlockShared: return unlock(operation.kind, operation.index, Hold::Shared);
      case Verb::Wait:
      case Verb::WaitFor:
      case Verb::TimedWait: return wait(operation);
      case Verb::NotifyOne: return world->conditions[operation.index].notify_one();
      case Verb::NotifyAll: return world->conditions[operation.index].notify_all();
      case Verb::Load:
      case Verb::Store:
      case Verb::Add:
      case Verb::Exchange:
      case Verb::CompareExchange: return perform_on_atomic(operation, world->atomics[operation.index]);
      case Verb::Await: return await(operation, world->atomics[operation.index]);
      case Verb::Watch: return watch(operation, world->atomics[operation.index]);
      case Verb::AwaitEither: return await_either(value_of(operation.value), value_of(operation.desired));
      case Verb::SleepWhile: return world->atomics[operation.index].wait(value_of(operation.value));
      case Verb::WakeOne: return world->atomics[operation.index].notify_one();
      case Verb::WakeAll: return world->atomics[operation.index].notify_all();
      case Verb::Acquire:
      case Verb::TryAcquire:
      case Verb::TryAcquireFor:
      case Verb::Release:
      case Verb::ReleaseSome: return perform_on_semaphore(operation);
      case Verb::Arrive: return arrive(operation);
      case Verb::Once: return once(operation);
      case Verb::OnceFailing: return once_failing(operation);
      case Verb::Assert: assert(holds(operation)); return;
      case Verb::If: return;
      default: return constructs_.perform(operation, value_of(operation.value), registers_[operation.reg]);
    }
  }

  void perform_on_thread(const Operation& operation) {
    std::thread& child = children_[operation.number];
    if (operation.verb == Verb::Spawn) {
      child = std::thread([id = operation.number] { Worker(id).run(); });
    } else if (child.joinable()) {
      child.join();
    }
  }

  /// Calls `function` with the lock that the letter and number name.
  template <class Function>
  static auto with_lock(char kind, unsigned index, Function function) {
    switch (kind) {
      case 'm': return function(world->mutexes[index]);
      case 't': return function(world->timed_mutexes[index]);
      case 'q': return function(world->recursive_mutexes[index]);
      default: return function(world->shared_mutexes[index]);
    }
  }

  void lock(const Operation& operation) {
    const unsigned number = lock_number(operation.kind, operation.index);
    if (depth_[number] != 0 && operation.kind != 'q') return;
    const bool shared = operation.verb == Verb::LockShared || operation.verb == Verb::TryLockShared;
    const bool acquired = acquire(operation);
    if (has_result(operation.verb)) registers_[operation.reg] = acquired ? 1 : 0;
    if (!acquired) return;
    ++depth_[number];
    hold_[number] = shared ? Hold::Shared : Hold::Exclusive;
  }

  static bool acquire(const Operation& operation) {
    std::shared_mutex& shared = world->shared_mutexes[operation.index];
    switch (operation.verb) {
      case Verb::Lock:
        return with_lock(operation.kind, operation.index, [](auto& any) {
          any.lock();
          return true;
        });
      case Verb::TryLock: return with_lock(operation.kind, operation.index, [](auto& any) { return any.try_lock(); });
      case Verb::TryLockFor: return world->timed_mutexes[operation.index].try_lock_for(short_time);
      case Verb::LockShared: shared.lock_shared(); return true;
      default: return shared.try_lock_shared();
    }
  }

  void lock_both(unsigned first) {
    const std::array both = {lock_number('m', 0), lock_number('m', 1)};
    if (!may_lock_both_ || depth_[both[0]] != 0 || depth_[both[1]] != 0) return;
    std::lock(world->mutexes[first], world->mutexes[1 - first]);
    for (const unsigned number : both) {
      depth_[number] = 1;
      hold_[number] = Hold::Exclusive;
    }
  }

  void unlock(char kind, unsigned index, Hold hold) {
    const unsigned number = lock_number(kind, index);
    if (depth_[number] == 0 || hold_[number] != hold) return;
    --depth_[number];
    if (hold == Hold::Shared) return world->shared_mutexes[index].unlock_shared();
    with_lock(kind, index, [](auto& any) { any.unlock(); });
  }

  void release_all() {
    for (char kind : object_kinds.substr(0, lock_count / objects_per_kind))
      for (unsigned index = 0; index < objects_per_kind; ++index)
        while (depth_[lock_number(kind, index)] != 0) unlock(kind, index, hold_[lock_number(kind, index)]);
  }

  void wait(const Operation& operation) {
    if (depth_[lock_number('m', operation.index)] == 0) return;
    std::mutex& mutex = world->mutexes[operation.index];
    std::condition_variable& condition = world->conditions[operation.index];
    if (operation.verb == Verb::WaitFor) {
      registers_[operation.reg] = wait_for(condition, mutex) ? 1 : 0;
      return;
    }
    std::unique_lock<std::mutex> held(mutex, std::adopt_lock);
    operation.verb == Verb::Wait ? condition.wait(held) : void(condition.wait_for(held, short_time));
    held.release();
  }

  /// Whether the wait was ended by a notification. Through the native handles, because std::condition_variable makes
  /// up its cv_status by looking at the clock afterwards, which calls a late notification a timeout.
  static bool wait_for(std::condition_variable& condition, std::mutex& mutex) {
    const timespec deadline = soon();
    return pthread_cond_timedwait(condition.native_handle(), mutex.native_handle(), &deadline) != ETIMEDOUT;
  }

  static timespec soon() {
    timespec deadline{};
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += std::chrono::nanoseconds(short_time).count();
    deadline.tv_sec += deadline.tv_nsec / 1'000'000'000;
    deadline.tv_nsec %= 1'000'000'000;
    return deadline;
  }

  void perform_on_atomic(const Operation& operation, std::atomic<int>& atomic) {
    const int value = value_of(operation.value);
    int expected = value;
    switch (operation.verb) {
      case Verb::Load: registers_[operation.reg] = atomic.load(); break;
      case Verb::Store: atomic.store(value); break;
      case Verb::Add: registers_[operation.reg] = atomic.fetch_add(value); break;
      case Verb::Exchange: registers_[operation.reg] = atomic.exchange(value); break;
      default:
        registers_[operation.reg] = atomic.compare_exchange_strong(expected, value_of(operation.desired)) ? 1 : 0;
    }
  }

  void await(const Operation& operation, const std::atomic<int>& atomic) {
    const int value = value_of(operation.value);
    int seen = atomic.load();
    while ((seen == value) != operation.equal) seen = atomic.load();
    registers_[operation.reg] = seen;
  }

  void watch(const Operation& operation, const std::atomic<int>& atomic) {
    const int value = value_of(operation.value);
    int last = registers_[operation.reg];  // not there: that others could look there would be a change
    for (int seen = atomic.load(); seen != value; seen = atomic.load()) last = seen;
    registers_[operation.reg] = last;
  }

  static void await_either(int first, int second) {
    while (world->atomics[0].load() != first && world->atomics[1].load() != second) {
    }
  }

  void perform_on_semaphore(const Operation& operation) {
    switch (operation.kind) {
      case 's': return perform_on_semaphore(operation, world->semaphores[operation.index]);
      case 'p': return perform_on_semaphore(operation, world->posix_semaphores[operation.index]);
      default: return constructs_.perform_on_semaphore(operation);
    }
  }

  void perform_on_semaphore(const Operation& operation, std::counting_semaphore<>& semaphore) {
    switch (operation.verb) {
      case Verb::Acquire: semaphore.acquire(); break;
      case Verb::Release: semaphore.release(); break;
      case Verb::ReleaseSome: semaphore.release(operation.number); break;
      case Verb::TryAcquireFor: registers_[operation.reg] = semaphore.try_acquire_for(short_time) ? 1 : 0; break;
      default: registers_[operation.reg] = semaphore.try_acquire() ? 1 : 0;
    }
  }

  void perform_on_semaphore(const Operation& operation, sem_t& semaphore) {
    switch (operation.verb) {
      case Verb::Acquire: sem_wait(&semaphore); break;
      case Verb::Release: sem_post(&semaphore); break;
      case Verb::TryAcquireFor: {
        const timespec deadline = soon();
        registers_[operation.reg] = sem_timedwait(&semaphore, &deadline) == 0 ? 1 : 0;
        break;
      }
      default: registers_[operation.reg] = sem_trywait(&semaphore) == 0 ? 1 : 0;
    }
  }

  static void arrive(const Operation& operation) {
    if (operation.kind == 'b') {
      world->barriers[operation.index].arrive_and_wait();
    } else {
      pthread_barrier_wait(&world->posix_barriers[operation.index]);
    }
  }

  static void once(const Operation& operation) {
    if (operation.kind == 'o') {
      std::call_once(world->once_flags[operation.index], once_bodies[operation.index]);
    } else {
      pthread_once(&world->posix_onces[operation.index], once_bodies[operation.index]);
    }
  }

  void once_failing(const Operation& operation) {
    int& ran = registers_[operation.reg];
    try {
      std::call_once(world->once_flags[operation.index], [&operation] {
        once_bodies[operation.index]();
        throw operation.index;
      });
      ran = 0;
    } catch (std::uint8_t) {
      ran = 1;
    }
  }

  int value_of(Value value) const { return value.is_register ? registers_[value.number] : value.number; }

  bool holds(const Operation& operation) const {
    return (registers_[operation.reg] == value_of(operation.value)) == operation.equal;
  }

  /// Makes native runs of threads this short overlap.
  void pause() {
    random_ = random_ * 1103515245 + 12345;
    const unsigned draw = random_ >> 16;
    if (draw % 4 == 0) usleep(draw / 4 % 200);
    if (draw % 4 == 1) sched_yield();
  }

  const Thread& thread_;
  const bool may_lock_both_;
  std::array<int, registers_per_thread>& registers_;
  std::array<std::uint8_t, lock_count> depth_{};
  std::array<Hold, lock_count> hold_{};
  ConstructUser constructs_;
  std::array<std::thread, max_threads> children_;
  unsigned random_;
};

/// Only main is left when the shared values are read, unless the program is unjoined: then they are not shown.
void print_outcome() {
  FinalValues& results = world->results;
  for (unsigned i = 0; i < objects_per_kind && !world->program.unjoined; ++i) {
    results.atomics[i] = world->atomics[i].load();
    while (world->semaphores[i].try_acquire()) ++results.semaphores[i];
    sem_getvalue(&world->posix_semaphores[i], &results.posix_semaphores[i]);
  }
  char line[256];
  format_outcome(world->program, results, line, sizeof line);
  std::puts(line);
}

std::string read_file(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

const ParseResult* parsed;

/// Before main, so that it is done once and not in every run.
[[gnu::constructor]] void read_program(int argc, char** argv) {
  if (argc < 2) return;
  parsed = new ParseResult(argv[1][0] == '@' ? parse(read_file(argv[1] + 1)) : parse(argv[1]));
}

}  // namespace
}  // namespace random_programs

int main(int argc, char** argv) {
  using namespace random_programs;
  if (parsed == nullptr) {
    std::fputs("usage: interpreter DESCRIPTION|@FILE [JITTER]\n", stderr);
    return 2;
  }
  if (parsed->error != nullptr) {
    std::fprintf(stderr, "interpreter: %s\n", parsed->error);
    return 2;
  }
  world = new World(parsed->program, argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 0);
  Worker(0).run();
  print_outcome();
  return 0;
}
