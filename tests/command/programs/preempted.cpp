// preempted WAY [NOISE]: bugs that need preemptions, and schedules that are longer than they must be.

#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

namespace {

std::atomic<int> value{0};
std::atomic<int> noise{0};
std::mutex mutex;
std::mutex other_mutex;
int loudness = 5;

void make_noise(int times) {
  for (int i = 0; i < times; ++i) ++noise;
}

/// The reader has to be preempted after its first and after its second look, and the writer between its two stores;
/// whoever looks for a way with two must try very many schedules.
void alternate() {
  std::thread reader([] {
    make_noise(loudness);
    const int first = value;
    make_noise(loudness);
    const int second = value;
    make_noise(loudness);
    assert(first != 0 || second != 1 || value != 2);
    make_noise(loudness);
  });
  std::thread writer([] {
    make_noise(loudness);
    value = 1;
    make_noise(loudness);
    value = 2;
    make_noise(loudness);
  });
  std::thread third([] { make_noise(4 * loudness); });
  reader.join();
  writer.join();
  third.join();
}

/// Nobody tries a lock before the bug shows in the first run; later ones do, and then releases would be choices too.
void late_try() {
  std::thread reader([] {
    const std::lock_guard lock(mutex);
    make_noise(1);
    if (value == 1) {
      const std::unique_lock tried(other_mutex, std::try_to_lock);
      return;
    }
    make_noise(2);
    assert(value == 1);
  });
  std::thread writer([] { value = 1; });
  reader.join();
  writer.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "alternate";
  if (argc > 2) loudness = std::stoi(argv[2]);
  way == "late-try" ? late_try() : alternate();
}
