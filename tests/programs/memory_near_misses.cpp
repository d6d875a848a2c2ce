// What looks like a memory error and is none: the last byte of a block, a pointer behind its end, another thread's
// living stack, a block that the last of its users frees, freeing nothing, a block that only a pointer to its middle
// leads to.
//
// norn: pass
// norn options: --leaks
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

struct Shared {
  std::atomic<int> users{2};
  char text[5] = "text";
};

void drop(Shared* shared) {
  if (shared->users.fetch_sub(1) == 1) delete shared;
}

char* kept;

int main() {
  auto* shared = new Shared;
  auto* block = static_cast<char*>(std::malloc(7));
  int on_this_stack = 0;
  std::thread other([&, shared] {
    block[6] = shared->text[4];
    on_this_stack = 1;
    drop(shared);
  });
  drop(shared);
  other.join();
  char sum = 0;
  std::memset(block, 1, 7);
  for (const char* byte = block; byte != block + 7; ++byte) sum = static_cast<char>(sum + *byte);
  block = static_cast<char*>(std::realloc(block, 9));
  block[8] = sum;
  std::free(block);
  std::free(nullptr);
  kept = static_cast<char*>(std::malloc(10)) + 5;
  return sum == 7 && on_this_stack == 1 ? 0 : 1;
}
