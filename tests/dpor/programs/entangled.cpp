// Operations on different objects whose order matters all the same.

#include <norn/property.hpp>

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

std::atomic<int> first;
std::atomic<int> second;

/// A property sees both.
void property() {
  norn::always([] { return first >= 0; }, "not negative");
  std::thread one([] { ++first; });
  std::thread other([] { ++second; });
  one.join();
  other.join();
}

/// Whoever tries sees the mutex free, taken, or left behind by a thread that has ended.
void robust() {
  static pthread_mutex_t mutex;
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &robust);
  std::thread owner([] { pthread_mutex_lock(&mutex); });
  const int result = pthread_mutex_trylock(&mutex);
  if (result == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  if (result != EBUSY) pthread_mutex_unlock(&mutex);
  owner.join();
}

/// A part of a word, as locks in C look at it.
void overlap() {
  static int word;
  static int seen;
  std::thread writer([] { __atomic_store_n(&word, 0x0101, __ATOMIC_SEQ_CST); });
  seen = __atomic_load_n(reinterpret_cast<char*>(&word) + 1, __ATOMIC_SEQ_CST);
  writer.join();
  // Otherwise the order of both is all that there is to see.
  if (seen != 0) ++first;
}

struct Farewell {
  ~Farewell() { second.load(); }
};

/// The process ends after what a destructor does, wherever the other thread is.
void farewell() {
  static const Farewell last;
  std::thread([] {
    ++first;
    first.load();
  }).detach();
}

/// The last thread to end does what the destructor does.
void last() {
  static const Farewell farewell;
  std::thread([] { ++first; }).detach();
  std::thread([] { ++second; }).detach();
  pthread_exit(nullptr);
}

/// Only one of both may wake up without a signal.
void spurious() {
  const auto wait = [] {
    std::mutex mutex;
    std::condition_variable condition;
    std::unique_lock lock(mutex);
    condition.wait(lock);
  };
  std::thread one(wait);
  std::thread other(wait);
  one.join();
  other.join();
}

struct Case {
  const char* name;
  void (*body)();
};
constexpr Case cases[] = {{"property", property}, {"robust", robust}, {"overlap", overlap},
                          {"farewell", farewell}, {"last", last},     {"spurious", spurious}};

}  // namespace

int main(int argc, char** argv) {
  for (const Case& one : cases)
    if (argc == 2 && std::strcmp(argv[1], one.name) == 0) one.body();
}
