// How threads and programs end: exceptions, thread_local destructors, exit, crashes, limits.

#include <dlfcn.h>
#include <err.h>
#include <error.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cases.h"

std::atomic<int> counter;
std::mutex mutex;

struct Noisy {
  explicit Noisy(const char* name) : name(name) { printf("+%s ", name); }
  ~Noisy() { printf("-%s ", name); }
  const char* name;
};

// Exceptions.

int deep(int level) {
  const Noisy noisy("frame");
  if (level == 0) throw std::out_of_range("deep");
  return deep(level - 1) + 1;
}

void caught() {
  try {
    deep(1);
  } catch (const std::logic_error& error) {
    printf("caught %s\n", error.what());
  }
}

/// Two threads have exceptions in flight at the same time.
void in_flight_together() {
  int right = 0;
  const auto work = [&](int number) {
    try {
      throw number;
    } catch (const int& caught) {
      ++counter;
      try {
        throw std::to_string(caught);
      } catch (const std::string& text) {
        ++counter;
        right += text == std::to_string(number) && std::uncaught_exceptions() == 0;
      }
      try {
        throw;
      } catch (int again) {
        right += again == number;
      }
    }
  };
  std::thread a(work, 1);
  std::thread b(work, 2);
  a.join();
  b.join();
  printf("%d\n", right);
}

void rethrown_elsewhere() {
  std::exception_ptr pointer;
  std::thread([&] {
    try {
      throw std::runtime_error("from the thread");
    } catch (...) {
      pointer = std::current_exception();
    }
  }).join();
  try {
    std::rethrow_exception(pointer);
  } catch (const std::runtime_error& error) {
    printf("%s\n", error.what());
  }
}

void uncaught() { throw std::runtime_error("nobody catches this"); }

void uncaught_in_thread() {
  std::thread([] { throw 42; }).join();
}

void through_noexcept() {
  const auto function = []() noexcept { deep(0); };
  try {
    function();
  } catch (const std::logic_error&) {
    printf("impossible\n");
  }
}

// thread_local.

thread_local Noisy local("local");
thread_local int plain = 5;

void thread_locals() {
  (void)local.name;
  std::thread([] {
    plain += counter + 1;
    printf("[%s %d] ", local.name, plain);
  }).join();
  printf("main %d ", plain);
}

void thread_locals_in_two_threads() {
  int sum = 0;
  const auto work = [&](int own) {
    plain = own;
    ++counter;
    std::lock_guard guard(mutex);
    sum += plain;
  };
  std::thread a(work, 10);
  std::thread b(work, 20);
  a.join();
  b.join();
  printf("%d %d\n", sum, plain);
}

void* exits_in_the_middle(void*) {
  const Noisy noisy("frame");
  printf("%s ", local.name);
  try {
    pthread_exit(reinterpret_cast<void*>(7));
  } catch (...) {
    printf("unwinding ");
    throw;
  }
}

void pthread_exit_unwinds() {
  pthread_t thread;
  void* result = nullptr;
  pthread_create(&thread, nullptr, exits_in_the_middle, nullptr);
  pthread_join(thread, &result);
  printf("%d\n", static_cast<int>(reinterpret_cast<long>(result)));
}

// exit and its handlers.

bool announce = false;

struct AtExit {
  ~AtExit() {
    if (announce) printf("static\n");
  }
} at_exit;

void handlers() {
  announce = true;
  atexit([] { printf("first registered "); });
  atexit([] { printf("second registered "); });
  printf("main ");
}

void exit_in_thread() {
  announce = true;
  atexit([] { printf("handler "); });
  std::thread([] {
    printf("thread ");
    exit(0);
  }).join();
  printf("never\n");
}

/// The end of the process races with what the other thread does.
void exit_races() {
  std::thread thread([] {
    counter = 1;
    exit(0);
  });
  printf("saw %d\n", counter.load());
  thread.join();
}

void exit_code() { exit(3); }

void exit_code_sometimes() {
  std::thread thread([] { counter = 1; });
  const int seen = counter;
  thread.join();
  exit(seen == 0 ? 0 : 5);
}

void immediately() {
  announce = true;
  atexit([] { printf("never\n"); });
  if (write(STDOUT_FILENO, "written\n", 8) != 8) abort();
  _exit(0);
}

void quickly() {
  at_quick_exit([] {
    if (write(STDOUT_FILENO, "quick\n", 6) != 6) abort();
  });
  quick_exit(0);
}

void detached_left_behind() {
  std::thread([] {
    for (;;) {
      std::lock_guard guard(mutex);
      if (counter == 7) return;
      mutex.lock();
    }
  }).detach();
}

void aborts() { abort(); }

void asserts() {
  std::thread thread([] { counter = 1; });
  const int seen = counter;
  thread.join();
  assert(seen == 0);
}

void joinable_destroyed() {
  std::thread thread([] { ++counter; });
}

// Crashes.

int recurse(int depth) {
  volatile char frame[1000];
  frame[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

void stack_overflow() { printf("%d\n", recurse(0)); }

void stack_overflow_in_thread() {
  std::thread([] { printf("%d\n", recurse(0)); }).join();
}

void division() {
  std::thread([] {
    volatile int number = 7;
    number = number / counter;
  }).join();
}

void null_pointer() {
  std::thread thread([] { counter = 1; });
  volatile int* volatile pointer = nullptr;
  if (counter == 1) *pointer = 1;
  thread.join();
}

void bad_call() {
  void (*volatile function)() = nullptr;
  function();
}

void trap() { __builtin_trap(); }

/// Whoever looks up in the middle crashes with the loader's lock, which others need: the program, and Norn at its end.
template <typename Crash>
void crashes_if_one(Crash crash) {
  std::thread thread([] {
    counter = 1;
    counter = 2;
  });
  if (counter == 1) crash();
  thread.join();
  if (dlsym(RTLD_DEFAULT, "puts") == nullptr) abort();
}

void crashes_in_loader() {
  crashes_if_one([] {
    void* volatile wrong = reinterpret_cast<void*>(8);
    if (dlsym(wrong, "puts") != nullptr) abort();
  });
}

void crashes_in_callback() {
  crashes_if_one([] {
    const auto crash = [](dl_phdr_info*, std::size_t, void*) -> int { __builtin_trap(); };
    dl_iterate_phdr(crash, nullptr);
  });
}

// Limits.

void counts_for_ever() {
  for (;;) ++counter;
}

void polls() {
  std::thread thread([] {
    while (counter == 0) {
    }
  });
  counter = 1;
  thread.join();
}

void many_threads() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; ++i) threads.emplace_back([] {});
  for (auto& thread : threads) thread.join();
  printf("done\n");
}

void much_memory() {
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.emplace_back(10'000, 'x');
  printf("%zu\n", texts.size());
}

void endless() {
  for (volatile int i = 0; i == 0;) {
  }
}

// Ends inside the C library, and beside it.

void exits_with_error() { errx(3, "no %s", "more"); }
void exits_with_number() { error(4, ENOENT, "no %s", "more"); }
void exits_with_line() { error_at_line(5, 0, "file", 1, "no %s", "more"); }
void exits_by_system_call() { syscall(SYS_exit_group, 6); }
void goes_on_after_error() {
  error(0, ENOENT, "no %s", "more");
  printf("on\n");
}

void aborts_in_library() { assert_perror(ENOENT); }

/// As code does that was not compiled by Norn and does without the C library.
void leaves(int code) { asm volatile("syscall" : : "a"(SYS_exit_group), "D"(code) : "rcx", "r11", "memory"); }
void leaves_with_code() { leaves(7); }
void leaves_quietly() { leaves(0); }

// Isolation of runs from each other.

int global = 1;
std::map<int, std::string> table{{1, "one"}};
std::vector<int> numbers{1, 2, 3};

int& function_static() {
  static int value = [] { return 10; }();
  return value;
}

void fresh_every_time() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([] {
      for (int j = 0; j < 2; ++j) {
        std::lock_guard guard(mutex);
        ++global;
        ++function_static();
        table[static_cast<int>(table.size()) + 1] = std::string(100, 'x');
        numbers.push_back(4);
        ++plain;
      }
    });
  for (auto& thread : threads) thread.join();
  setenv("NORN_TEST_VARIABLE", std::to_string(global).c_str(), 0);
  table.erase(1);
  printf("%d %d %zu %zu %s %d\n", global, function_static(), table.size(), numbers.size(), getenv("NORN_TEST_VARIABLE"),
         plain);
}

void descriptor_closed() {
  std::thread thread([] { ++counter; });
  ++counter;
  thread.join();
  const bool works = write(STDOUT_FILENO, "open\n", 5) == 5;
  close(STDOUT_FILENO);
  _exit(works ? 0 : 1);
}

/// What the run changes is as it was in the next one.
void process_changed() {
  rlimit limit{};
  cpu_set_t processors;
  std::thread thread([] { ++counter; });
  ++counter;
  thread.join();
  getrlimit(RLIMIT_CORE, &limit);
  sched_getaffinity(0, sizeof processors, &processors);
  const bool is_first = limit.rlim_cur != 4096 && umask(0123) != 0123;
  limit.rlim_cur = 4096;
  setrlimit(RLIMIT_CORE, &limit);
  sched_setaffinity(0, sizeof processors, &processors);
  exit(is_first ? 0 : 1);
}

void directory_changed() {
  char directory[4096] = "";
  std::thread thread([] { ++counter; });
  ++counter;
  thread.join();
  if (getcwd(directory, sizeof directory) == nullptr || chdir("/") != 0) abort();
  exit(strcmp(directory, "/") == 0 ? 1 : 0);
}

CASES_MAIN({"caught", caught}, {"in_flight_together", in_flight_together}, {"rethrown_elsewhere", rethrown_elsewhere},
           {"uncaught", uncaught}, {"uncaught_in_thread", uncaught_in_thread}, {"through_noexcept", through_noexcept},
           {"thread_locals", thread_locals}, {"thread_locals_in_two_threads", thread_locals_in_two_threads},
           {"pthread_exit_unwinds", pthread_exit_unwinds}, {"handlers", handlers}, {"exit_in_thread", exit_in_thread},
           {"exit_races", exit_races}, {"exit_code", exit_code}, {"exit_code_sometimes", exit_code_sometimes},
           {"immediately", immediately}, {"quickly", quickly}, {"detached_left_behind", detached_left_behind},
           {"aborts", aborts}, {"asserts", asserts}, {"joinable_destroyed", joinable_destroyed},
           {"stack_overflow", stack_overflow}, {"stack_overflow_in_thread", stack_overflow_in_thread},
           {"division", division}, {"null_pointer", null_pointer}, {"bad_call", bad_call}, {"trap", trap},
           {"crashes_in_loader", crashes_in_loader}, {"crashes_in_callback", crashes_in_callback},
           {"counts_for_ever", counts_for_ever}, {"polls", polls}, {"many_threads", many_threads},
           {"much_memory", much_memory}, {"endless", endless}, {"fresh_every_time", fresh_every_time},
           {"descriptor_closed", descriptor_closed}, {"directory_changed", directory_changed},
           {"process_changed", process_changed}, {"exits_with_error", exits_with_error},
           {"exits_with_number", exits_with_number}, {"exits_with_line", exits_with_line},
           {"exits_by_system_call", exits_by_system_call}, {"goes_on_after_error", goes_on_after_error},
           {"aborts_in_library", aborts_in_library}, {"leaves_with_code", leaves_with_code},
           {"leaves_quietly", leaves_quietly})
