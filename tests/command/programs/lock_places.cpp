// Locks of the C++ library, whose functions are called where a program is not optimised.
#include <semaphore.h>
#include <mutex>
#include <string>
#include <thread>

std::mutex first, second;
sem_t done;

void keep() {
  std::thread([] {
    first.lock();  // kept
  }).join();
}

void hand_over() {
  sem_init(&done, 0, 0);
  std::thread one([] {
    std::lock_guard holds(first);
    second.lock();
    second.unlock();
    sem_post(&done);
  });
  std::thread other([] {
    sem_wait(&done);
    std::lock_guard holds(second);
    first.lock();
    first.unlock();
  });
  one.join();
  other.join();
}

int main(int, char** arguments) { arguments[1] == std::string("keep") ? keep() : hand_over(); }
