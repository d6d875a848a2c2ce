#pragma once

// Noise: in a program that is not under control, threads are held up at random where they synchronize (strategy noise).

namespace norn::frontend {

/// Whether there is any in this process.
extern bool noisy;

/// If the environment says so (support/noise_log.hpp).
void begin_noise();
/// Holds the calling thread up, perhaps.
void make_noise();
/// The calling thread has taken a lock, and still has it.
void note_lock(const void* lock);

inline void noise_point() {
  if (noisy) [[unlikely]]
    make_noise();
}

/// Outside of runs: `call` takes a lock if it returns 0.
template <typename Call>
int take_natively(const void* lock, const Call& call) {
  noise_point();
  const int result = call();
  if (noisy && result == 0) [[unlikely]]
    note_lock(lock);
  return result;
}

/// Outside of runs: when `call` returns, the thread has taken its mutex again.
template <typename Call>
int wait_natively(const void* mutex, const Call& call) {
  noise_point();
  const int result = call();
  if (noisy) [[unlikely]]
    note_lock(mutex);
  return result;
}

}  // namespace norn::frontend
