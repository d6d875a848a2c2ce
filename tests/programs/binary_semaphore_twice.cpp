// A binary semaphore that two threads release, although it has room for one.
//
// norn: bug misuse
// norn expects: released beyond its maximum
#include <semaphore>
#include <thread>

int main() {
  std::binary_semaphore done(0);
  const auto work = [&done] { done.release(); };
  std::thread one(work);
  std::thread other(work);
  done.acquire();
  done.acquire();
  one.join();
  other.join();
}
