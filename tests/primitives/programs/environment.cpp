// What programs take from their environment: time, random numbers, output, memory.

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <mutex>
#include <random>
#include <semaphore>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "cases.h"

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::mutex mutex;
std::atomic<int> counter;

/// From before main() to after it.
struct Lifelong {
  bool says_rounding = false;
  ~Lifelong() {
    if (says_rounding) std::cout << (std::fegetround() == FE_DOWNWARD) << "\n";
  }
} lifelong;

template <typename Function>
void in_two_threads(Function function) {
  std::thread a(function, 0);
  std::thread b(function, 1);
  a.join();
  b.join();
}

// Time.

void sleeps() {
  const auto start = Clock::now();
  const auto calendar = std::chrono::system_clock::now();
  std::this_thread::sleep_for(1h);
  std::this_thread::sleep_until(Clock::now() + 1h);
  usleep(1'000'000);
  sleep(1);
  const timespec second{1, 0};
  nanosleep(&second, nullptr);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &second, nullptr);
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &second, nullptr);
  const auto passed = Clock::now() - start;
  const auto by_calendar = std::chrono::system_clock::now() - calendar;
  std::cout << (passed >= 2h + 5s && passed < 2h + 6s) << (by_calendar >= 2h + 5s && by_calendar < 2h + 6s) << "\n";
}

void yields() {
  in_two_threads([](int) {
    ++counter;
    sched_yield();
    std::this_thread::yield();
  });
  std::cout << counter << "\n";
}

/// Whoever comes later in happens-before sees a later clock, whatever passes the order on.
template <typename Send, typename Receive>
void later(Send send, Receive receive) {
  Clock::time_point sent;
  std::thread sender([&] {
    std::this_thread::sleep_for(5s);
    sent = Clock::now();
    send();
  });
  if (receive()) std::cout << (Clock::now() > sent ? "later\n" : "earlier\n");
  sender.join();
  if (Clock::now() <= sent) std::cout << "earlier after join\n";
}

void clock_after_atomic() {
  later([] { counter = 1; }, [] { return counter == 1; });
}

void clock_after_mutex() {
  bool done = false;
  later(
      [&] {
        std::lock_guard guard(mutex);
        done = true;
      },
      [&] {
        std::lock_guard guard(mutex);
        return done;
      });
}

void clock_after_semaphore() {
  std::binary_semaphore semaphore(0);
  later([&] { semaphore.release(); },
        [&] {
          semaphore.acquire();
          return true;
        });
}

void clock_after_barrier() {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  const auto wait = [&] {
    pthread_barrier_wait(&barrier);
    return true;
  };
  later(wait, wait);
}

void clock_after_wake_up() {
  later(
      [] {
        counter = 1;
        counter.notify_one();
      },
      [] {
        counter.wait(0);
        return true;
      });
}

void clocks_agree() {
  timeval day{};
  gettimeofday(&day, nullptr);
  const time_t seconds = time(nullptr);
  timespec precise{};
  clock_gettime(CLOCK_REALTIME, &precise);
  const auto system = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::cout << (seconds - day.tv_sec <= 1) << (precise.tv_sec - seconds <= 1) << (system - seconds <= 1)
            << (clock() >= 0);
  if (syscall(SYS_gettimeofday, &day, nullptr) != 0) abort();
  std::cout << (day.tv_sec - seconds <= 1) << (syscall(SYS_time, nullptr) - seconds <= 1) << "\n";
}

void time_is_the_same() {
  std::cout << std::chrono::system_clock::now().time_since_epoch().count() << " "
            << Clock::now().time_since_epoch().count() << " " << time(nullptr) << " " << clock() << "\n";
}

/// All of the stack that a thread is told of is there.
void stack_bounds() {
  in_two_threads([](int self) {
    pthread_attr_t attributes;
    void* begin = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) abort();
    pthread_attr_getstack(&attributes, &begin, &size);
    pthread_attr_destroy(&attributes);
    auto* const lowest = static_cast<volatile char*>(begin);
    const char here = *lowest;
    *lowest = here;
    if (&here < begin || &here >= static_cast<char*>(begin) + size) abort();
    ++counter;
    (void)self;
  });
}

// Random numbers.

void random_numbers() {
  std::random_device device;
  std::mt19937 engine(device());
  std::ostringstream text;
  text << rand() << " " << random() << " " << lrand48() << " " << drand48() << " " << device() << " " << engine();
  std::cout << text.str() << "\n";
}

void random_bytes() {
  std::uint32_t bytes[3] = {};
  arc4random_buf(&bytes[0], sizeof bytes[0]);
  if (getrandom(&bytes[1], sizeof bytes[1], 0) != 4 || syscall(SYS_getrandom, &bytes[2], sizeof bytes[2], 0) != 4)
    abort();
  printf("%u %u %u %u %u\n", arc4random(), arc4random_uniform(1000), bytes[0], bytes[1], bytes[2]);
}

/// What a thread draws does not depend on the order in which threads draw.
void random_in_threads() {
  int drawn[2][2];
  in_two_threads([&](int self) {
    for (int& number : drawn[self]) {
      ++counter;
      number = rand();
    }
  });
  std::cout << drawn[0][0] << " " << drawn[0][1] << " " << drawn[1][0] << " " << drawn[1][1] << "\n";
}

/// Threads that draw names for themselves do not all draw the same ones.
void random_is_different() {
  std::set<int> drawn[2];
  in_two_threads([&](int self) {
    for (int i = 0; i < 4; ++i) drawn[self].insert(rand());
  });
  drawn[0].merge(drawn[1]);
  std::cout << drawn[0].size() << "\n";
}

void seeded() {
  srand(7);
  const int first = rand();
  srand(7);
  std::cout << (first == rand()) << "\n";
}

// Output.

void output() {
  printf("printf ");
  puts("puts");
  fputs("fputs ", stdout);
  putchar('!');
  std::cout << " cout " << 42 << std::endl;
  fprintf(stdout, "%s\n", std::string(5000, 'x').c_str());
  std::cerr << "not this";
  fflush(stdout);
  if (write(STDOUT_FILENO, "write\n", 6) != 6) abort();
  std::clog << "nor this";
  std::cout << "unflushed";
}

void output_of_threads() {
  in_two_threads([](int self) {
    std::lock_guard guard(mutex);
    std::cout << "thread " << self << "\n";
  });
}

void files() {
  FILE* file = tmpfile();
  fputs("text", file);
  rewind(file);
  char line[8] = "";
  if (fgets(line, sizeof line, file) == nullptr) abort();
  // Left open: what a run opens is closed after it, or the descriptors would run out.
  in_two_threads([](int) {
    for (int i = 0; i < 2; ++i) std::lock_guard guard(mutex);
  });
  const int descriptor = open("/dev/null", O_RDONLY);
  printf("%s %d\n", line, descriptor - fileno(file));
}

/// As programs do that want to know whether all was written.
void closes_output() {
  in_two_threads([](int) { std::lock_guard guard(mutex); });
  puts("written");
  if (fclose(stdout) != 0) abort();
}

/// They lie where no variable of the program does.
void overwrites_arguments() {
  char* const name = program_invocation_short_name;
  char* const value = getenv("NORN_BIN");
  char* const first = environ[0];
  const char initial = value[0];
  in_two_threads([=](int) {
    for (int i = 0; i < 2; ++i) {
      std::lock_guard guard(mutex);
      ++name[0];
      ++value[0];
      std::swap(environ[0], environ[1]);
    }
  });
  printf("%d %d %d %d\n", name[0] - 'e', initial, value[0] - initial, environ[0] == first);
}

/// It is empty, whatever an earlier run wrote there.
void moves_end_of_data() {
  auto* const first = static_cast<char*>(sbrk(4096));
  const bool is_empty = first[0]++ == 0;
  in_two_threads([](int) {
    for (int i = 0; i < 2; ++i) std::lock_guard guard(mutex);
  });
  auto* const second = static_cast<char*>(sbrk(4096));
  std::cout << is_empty << (second[0]++ == 0) << (second - first) << "\n";
}

/// How threads compute is a matter of each of them; new ones go on as their creator.
void floating_point() {
  const auto state = [] { return std::fegetround() | std::fetestexcept(FE_OVERFLOW | FE_DIVBYZERO); };
  const int initial = state();
  std::fesetround(FE_DOWNWARD);
  std::feraiseexcept(FE_OVERFLOW);
  int states[2];
  in_two_threads([&](int self) {
    const auto meet = [] { std::lock_guard guard(mutex); };
    meet();
    if (self == 0) {
      std::fesetround(FE_UPWARD);
      std::feraiseexcept(FE_DIVBYZERO);
    }
    meet();
    states[self] = state();
  });
  lifelong.says_rounding = true;
  std::cout << (initial == FE_TONEAREST) << (states[0] == (FE_UPWARD | FE_OVERFLOW | FE_DIVBYZERO))
            << (states[1] == (FE_DOWNWARD | FE_OVERFLOW)) << (state() == states[1]);
}

/// None of them is closed: those of one run are gone in the next one.
void other_descriptors() {
  char path[] = "/tmp/norn_environment_XXXXXX";
  const int temporary = mkstemp(path);
  unlink(path);
  const int memory = memfd_create("memory", 0);
  in_two_threads([](int) {
    for (int i = 0; i < 2; ++i) std::lock_guard guard(mutex);
  });
  for (const int descriptor : {memory, creat("/dev/null", 0600), timerfd_create(CLOCK_MONOTONIC, 0), inotify_init1(0),
                               epoll_create(1), openat64(AT_FDCWD, "/dev/null", O_RDONLY), fcntl(memory, F_DUPFD, 0)})
    printf("%d ", descriptor > temporary);
  printf("%d\n", fileno(fdopen(memory, "r")) == memory);
}

// Memory.

bool aligned(const void* address, std::uintptr_t alignment) {
  return reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
}

struct alignas(128) Wide {
  char data[128];
};

void allocation() {
  auto* zeroed = static_cast<unsigned char*>(calloc(100, 10));
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += zeroed[i];
  memset(zeroed, 1, 1000);
  zeroed = static_cast<unsigned char*>(realloc(zeroed, 100'000));
  for (int i = 0; i < 1000; ++i) sum += zeroed[i];
  zeroed = static_cast<unsigned char*>(realloc(zeroed, 10));
  for (int i = 0; i < 10; ++i) sum += zeroed[i];
  free(zeroed);
  // Dirty memory comes back from free; calloc has to clean it.
  auto* again = static_cast<unsigned char*>(calloc(10, 1));
  for (int i = 0; i < 10; ++i) sum += again[i];
  free(again);

  void* block = nullptr;
  const int error = posix_memalign(&block, 4096, 100);
  const int invalid = posix_memalign(&block, 3, 100);
  bool good = aligned(block, 4096) && error == 0 && invalid == EINVAL;
  free(block);
  block = aligned_alloc(64, 640);
  good = good && aligned(block, 64);
  free(block);
  const auto wide = std::make_unique<Wide>();
  good = good && aligned(wide.get(), 128) && aligned(malloc(1), 16);
  void* empty = malloc(0);
  good = good && empty != nullptr && malloc_usable_size(malloc(33)) >= 33;
  free(empty);
  free(nullptr);
  volatile std::size_t far_too_much = SIZE_MAX / 2 + 10;
  void* volatile much = malloc(far_too_much);
  void* volatile more = calloc(far_too_much, 4);
  const bool refused = much == nullptr && more == nullptr;
  std::cout << sum << " " << good << refused << "\n";
}

/// Blocks go from thread to thread, and are freed by whoever has them last.
void passed_on() {
  std::vector<std::unique_ptr<int>> box;
  in_two_threads([&](int self) {
    std::lock_guard guard(mutex);
    box.push_back(std::make_unique<int>(self));
    if (box.size() == 2) box.erase(box.begin());
  });
  std::cout << *box[0] << "\n";
}

void double_free() {
  void* volatile block = malloc(10);
  free(block);
  free(block);
}

void invalid_free() {
  static int numbers[16];
  void* volatile inside = numbers + 8;
  free(inside);
}

CASES_MAIN({"sleeps", sleeps}, {"yields", yields}, {"clock_after_atomic", clock_after_atomic},
           {"clock_after_mutex", clock_after_mutex}, {"clock_after_semaphore", clock_after_semaphore},
           {"clock_after_barrier", clock_after_barrier}, {"clock_after_wake_up", clock_after_wake_up},
           {"clocks_agree", clocks_agree}, {"time_is_the_same", time_is_the_same}, {"stack_bounds", stack_bounds},
           {"random_numbers", random_numbers}, {"random_bytes", random_bytes}, {"random_in_threads", random_in_threads},
           {"random_is_different", random_is_different}, {"seeded", seeded}, {"output", output},
           {"output_of_threads", output_of_threads}, {"files", files}, {"moves_end_of_data", moves_end_of_data},
           {"overwrites_arguments", overwrites_arguments}, {"floating_point", floating_point},
           {"other_descriptors", other_descriptors}, {"closes_output", closes_output}, {"allocation", allocation},
           {"passed_on", passed_on}, {"double_free", double_free}, {"invalid_free", invalid_free})
