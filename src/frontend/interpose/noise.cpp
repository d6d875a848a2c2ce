#include "frontend/interpose/noise.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "exec/backtrace.hpp"
#include "exec/modules.hpp"
#include "exec/real.hpp"
#include "support/noise_log.hpp"
#include "support/random.hpp"

namespace norn::frontend {

bool noisy = false;

namespace {

constexpr std::uint64_t parts = 1'000'000;  // of a probability

NoiseLog* record = nullptr;
std::uint64_t longest_sleep = 0;  // in nanoseconds; 0: threads only give way
std::uint64_t probability = 0;    // in parts
std::uint64_t seed = 0;
std::atomic<std::uint64_t> threads = 0;

SplitMix64& stream() {
  thread_local SplitMix64 own(SplitMix64(seed + threads.fetch_add(1))());
  return own;
}

}  // namespace

void begin_noise() {
  const char* text = NORN_REAL(getenv)(noise_variable);
  if (text == nullptr) return;
  std::istringstream words(text);
  std::string kind;
  double chance = 0;
  int descriptor = -1;
  words >> kind >> chance >> seed >> descriptor;
  unsetenv(noise_variable);
  void* memory = mmap(nullptr, sizeof(NoiseLog), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (memory == MAP_FAILED) return;
  record = static_cast<NoiseLog*>(memory);
  constexpr std::uint64_t millisecond = 1'000'000;
  longest_sleep = kind == "sleep100" ? 100 * millisecond : kind == "sleep10" ? 10 * millisecond : 0;
  probability = static_cast<std::uint64_t>(chance * static_cast<double>(parts));
  const std::string modules = exec::modules().dump();
  if (modules.size() < sizeof record->modules) std::strcpy(record->modules, modules.c_str());
  noisy = true;
}

void make_noise() {
  if (stream().below(parts) >= probability) return;
  if (longest_sleep == 0) {
    NORN_REAL(sched_yield)();
    return;
  }
  const timespec duration{0, static_cast<long>(stream().below(longest_sleep))};
  NORN_REAL(nanosleep)(&duration, nullptr);
}

void note_lock(const void* lock) {
  const std::uint64_t number = record->count.fetch_add(1);
  if (number >= NoiseLog::most) return;
  NoiseLog::Entry& entry = record->entries[number];
  entry.lock = reinterpret_cast<std::uintptr_t>(lock);
  exec::CallStack stack{};
  exec::capture_stack(stack);
  static_assert(NoiseLog::depth <= exec::stack_depth);
  for (unsigned i = 0; i < NoiseLog::depth; ++i) {
    entry.frames[i] = reinterpret_cast<std::uintptr_t>(stack.frames[i]);
    if (stack.frames[i] == nullptr) break;
  }
  entry.done = 1;
}

}  // namespace norn::frontend
