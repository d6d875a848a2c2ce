// rand and its like: seeded, the same in every run, and every thread has a sequence of its own, so that what one
// thread draws does not depend on the schedule.

#include <stdlib.h>
#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "exec/prelude.hpp"
#include "frontend/interpose/caller.hpp"
#include "frontend/interpose/interpose.hpp"
#include "support/random.hpp"

namespace norn::frontend {
namespace {

/// Whether numbers that nobody can foresee are to be the same nevertheless.
bool is_seeded() { return controlled() || exec::in_prelude(); }

std::uint64_t draw() {
  if (!controlled()) return exec::draw_in_prelude();
  Thread& me = run().current();
  me.random += 0x9e3779b97f4a7c15;
  return SplitMix64(me.random)();
}

int draw_31_bits() { return static_cast<int>(draw() >> 33); }

void reseed(std::uint64_t value) { run().current().random = value; }

void fill(void* buffer, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(buffer);
  while (size != 0) {
    const std::uint64_t value = draw();
    const std::size_t part = std::min(size, sizeof value);
    std::memcpy(bytes, &value, part);
    bytes += part;
    size -= part;
  }
}

}  // namespace
}  // namespace norn::frontend

using namespace norn::frontend;

NORN_EXPORT int rand() noexcept { return controlled() ? draw_31_bits() : NORN_REAL(rand)(); }
NORN_EXPORT void srand(unsigned value) noexcept { controlled() ? reseed(value) : NORN_REAL(srand)(value); }
NORN_EXPORT long random() noexcept { return controlled() ? draw_31_bits() : NORN_REAL(random)(); }
NORN_EXPORT void srandom(unsigned value) noexcept { controlled() ? reseed(value) : NORN_REAL(srandom)(value); }
NORN_EXPORT long lrand48() noexcept { return controlled() ? draw_31_bits() : NORN_REAL(lrand48)(); }
NORN_EXPORT long mrand48() noexcept { return controlled() ? static_cast<int>(draw()) : NORN_REAL(mrand48)(); }
NORN_EXPORT double drand48() noexcept {
  return controlled() ? static_cast<double>(draw() >> 11) * 0x1p-53 : NORN_REAL(drand48)();
}
NORN_EXPORT void srand48(long value) noexcept {
  controlled() ? reseed(static_cast<std::uint64_t>(value)) : NORN_REAL(srand48)(value);
}
NORN_EXPORT unsigned arc4random() noexcept {
  return is_seeded() ? static_cast<unsigned>(draw()) : NORN_REAL(arc4random)();
}

/// The program keeps the state of this one.
NORN_EXPORT int rand_r(unsigned* seed) noexcept {
  writes(seed, sizeof *seed, NORN_CALLER);
  return NORN_REAL(rand_r)(seed);
}

NORN_EXPORT unsigned arc4random_uniform(unsigned bound) noexcept {
  if (!is_seeded()) return NORN_REAL(arc4random_uniform)(bound);
  return bound == 0 ? 0 : static_cast<unsigned>(draw() % bound);
}

NORN_EXPORT void arc4random_buf(void* buffer, std::size_t size) noexcept {
  is_seeded() ? fill(buffer, size) : NORN_REAL(arc4random_buf)(buffer, size);
}

NORN_EXPORT ssize_t getrandom(void* buffer, std::size_t size, unsigned flags) {
  if (!is_seeded()) return NORN_REAL(getrandom)(buffer, size, flags);
  writes(buffer, size, NORN_CALLER);
  fill(buffer, size);
  return static_cast<ssize_t>(size);
}

NORN_EXPORT int getentropy(void* buffer, std::size_t size) {
  if (!is_seeded()) return NORN_REAL(getentropy)(buffer, size);
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  writes(buffer, size, NORN_CALLER);
  fill(buffer, size);
  return 0;
}

/// std::random_device::_M_getval(), which would ask the processor.
NORN_EXPORT unsigned norn_random_device(void* device) asm("_ZNSt13random_device9_M_getvalEv");
unsigned norn_random_device(void* device) {
  if (is_seeded()) return static_cast<unsigned>(draw());
  return norn::exec::real<unsigned(void*), "_ZNSt13random_device9_M_getvalEv">()(device);
}
