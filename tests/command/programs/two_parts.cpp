// The first of two sources: it needs C++20 and the C function of the other one.

#include <thread>

extern "C" int answer(void);

static_assert(__cplusplus >= 202002L);

int main() {
  int seen = 0;
  std::jthread thread([&] { seen = answer(); });
  thread.join();
  return seen == EXPECTED ? 0 : 1;
}
