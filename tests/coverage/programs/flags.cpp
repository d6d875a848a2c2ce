// Two threads that tell each other something by atomic variables.

#include <atomic>
#include <thread>

namespace {

std::atomic<int> flag;
std::atomic<int> answer;

void asks() {
  flag.store(1);
  answer.load();
  flag.store(2);
}

void answers() {
  if (flag.load() != 0) answer.store(1);
  flag.load();
}

}  // namespace

int main() {
  std::thread first(asks);
  std::thread second(answers);
  first.join();
  second.join();
}
