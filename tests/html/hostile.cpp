// Everything that a program can say of itself wants to be more than text.
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

#define HARM "</script><img src=x onerror=\"document.title='harmed'\"><script>document.title='harmed'</script>"

struct Harm {
  std::mutex mutex;
};
Harm harm;

template <typename T>
void work(T& object) {
  std::lock_guard lock(object.mutex);
}

int main() {
  std::puts(HARM);
  std::thread other([] { work(harm); });
  work(harm);
  other.join();
  throw std::runtime_error(HARM);
}
