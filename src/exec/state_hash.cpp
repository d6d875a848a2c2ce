#include "exec/state_hash.hpp"

#include <bit>

#include "exec/virtual_time.hpp"

namespace norn::exec {
namespace {

/// Times from a clock's first moment on, for some years.
constexpr std::uint64_t window = 100'000'000 * one_second;

bool within(std::uint64_t word, std::uint64_t first, std::uint64_t size) { return word - first < size; }

/// How far a time is from now, roughly: before or after, and milliseconds in powers of two. Clocks go on a little
/// whenever they are read, which must not make a difference.
std::uint64_t rough_distance(std::uint64_t time, std::uint64_t now) {
  constexpr std::uint64_t millisecond = 1'000'000;
  const bool is_later = time > now;
  const std::uint64_t distance = is_later ? time - now : now - time;
  const auto rough = static_cast<std::uint64_t>(std::bit_width(distance / millisecond));
  return rough * 2 + (is_later ? 1 : 0);
}

/// Whether a word is a time in this unit, of one of the two clocks; then also how far it is from now.
bool is_time(std::uint64_t word, std::uint64_t clock, std::uint64_t unit, std::uint64_t& distance) {
  const bool is_monotonic = within(word, first_clock / unit, window / unit);
  if (!is_monotonic && !within(word, first_calendar / unit, window / unit)) return false;
  const std::uint64_t now = is_monotonic ? clock : to_calendar(clock);
  distance = rough_distance(word * unit, now / unit * unit);
  return true;
}

/// Nanoseconds, and the coarser units that programs convert them to. Seconds are looked at with what follows them.
bool is_fine_time(std::uint64_t word, std::uint64_t clock, std::uint64_t& distance) {
  constexpr std::uint64_t nanosecond = 1;
  constexpr std::uint64_t microsecond = 1'000;
  constexpr std::uint64_t millisecond = 1'000'000;
  return is_time(word, clock, nanosecond, distance) || is_time(word, clock, microsecond, distance) ||
         is_time(word, clock, millisecond, distance);
}

std::uint64_t word_at(const unsigned char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// Seconds and nanoseconds of a timespec as one time.
bool is_timespec(const unsigned char* bytes, std::size_t size, std::uint64_t clock, std::uint64_t& distance) {
  const std::uint64_t seconds = word_at(bytes);
  if (size < 16 || !is_time(seconds, clock, one_second, distance)) return false;
  const std::uint64_t nanoseconds = word_at(bytes + 8);
  if (nanoseconds >= one_second) return false;
  return is_time(seconds * one_second + nanoseconds, clock, 1, distance);
}

}  // namespace

std::uint64_t hash_state(const void* data, std::size_t size, std::uint64_t clock) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::uint64_t hash = size;
  if (clock == no_clock) {
    // Without times to look for, two words at a time: one does not wait for the other.
    std::uint64_t other = 0;
    for (; size >= 16; bytes += 16, size -= 16) {
      hash = combine(hash, word_at(bytes));
      other = combine(other, word_at(bytes + 8));
    }
    hash = combine(hash, other);
  }
  while (size >= 8) {
    std::uint64_t distance = 0;
    std::size_t used = 8;
    std::uint64_t word = word_at(bytes);
    // Anything smaller than the first time in seconds is none: nearly all words.
    if (word >= first_calendar / one_second && clock != no_clock) {
      if (is_timespec(bytes, size, clock, distance)) {
        word = combine(distance, 16);
        used = 16;
      } else if (is_time(word, clock, one_second, distance) || is_fine_time(word, clock, distance)) {
        word = combine(distance, 8);
      }
    }
    hash = combine(hash, word);
    bytes += used;
    size -= used;
  }
  std::uint64_t rest = 0;
  if (size != 0) std::memcpy(&rest, bytes, size);
  return combine(hash, rest);
}

}  // namespace norn::exec
