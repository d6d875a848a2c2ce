// State of every kind that a run has in the middle of it, and that others must find there if they go on from there:
// each thread has some of it before and between its events, and prints in the end what became of it.

#include <pthread.h>
#include <norn/property.hpp>

#include <unistd.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
std::timed_mutex timed;
std::atomic<int> turns;
int total;
pthread_key_t key;

/// A static object of a function, destroyed in the end.
struct Farewell {
  ~Farewell() { std::printf("ends\n"); }
};

void promise_farewell() { static const Farewell farewell; }

thread_local std::string own = "own";

/// An event with an exception in flight and a block that is freed afterwards.
void take_turn(int weight) {
  const auto block = std::make_unique<std::vector<int>>(10, weight);
  try {
    throw std::runtime_error(std::to_string(weight));
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex);
    total = total * 3 + std::atoi(error.what()) + static_cast<int>(block->size()) + std::rand() % 2;
    own += error.what();
  }
}

void with_key(int id) {
  pthread_setspecific(key, new int(id));
  take_turn(id);
  std::unique_ptr<int> value(static_cast<int*>(pthread_getspecific(key)));
  pthread_setspecific(key, nullptr);
  own += std::to_string(*value);
}

void worker(int id) {
  char name[16];
  std::snprintf(name, sizeof name, "worker %d", id);
  pthread_setname_np(pthread_self(), name);
  with_key(id);
  promise_farewell();
  const auto before = std::chrono::steady_clock::now();
  if (timed.try_lock_for(std::chrono::milliseconds(id))) {
    turns.fetch_add(1);
    timed.unlock();
  } else {
    own += "late";
  }
  const bool waited = std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(id);
  pthread_getname_np(pthread_self(), name, sizeof name);
  const std::lock_guard lock(mutex);
  std::printf("%s %s %d\n", name, own.c_str(), waited);
}

}  // namespace

int main(int count, char** words) {
  // Nobody puts back what is written here, so it shows how often this was done.
  if (count > 1) static_cast<void>(!write(std::atoi(words[1]), "x", 1));
  pthread_key_create(&key, nullptr);
  norn::always([] { return turns >= 0; });
  std::printf("begins\n");
  std::fflush(stdout);
  std::future<int> late = std::async(std::launch::async, [] {
    take_turn(7);
    return 1;
  });
  std::thread first(worker, 1);
  std::thread second(worker, 2);
  first.join();
  second.join();
  std::printf("%d %d %d %s\n", late.get(), total, turns.load(), own.c_str());
}
