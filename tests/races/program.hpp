#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace random_races {

inline constexpr unsigned max_threads = 4;      ///< the main thread is the first
inline constexpr unsigned max_operations = 10;  ///< of one thread
inline constexpr unsigned object_count = 2;     ///< mutexes, atomics and semaphores, each
inline constexpr unsigned memory_size = 16;     ///< bytes that plain accesses touch

/// What a thread does, and with what:
///
///   r OFFSET SIZE        reads plain memory            w OFFSET SIZE        writes it
///   c TO FROM SIZE       memcpy in it                  z OFFSET SIZE        memset
///   g ATOMIC             reads an atomic as if it were a plain variable
///   l ATOMIC ORDER       loads it                      s ATOMIC ORDER VALUE stores in it
///   a ATOMIC ORDER       adds 1 to it                  f ORDER              fence
///   L MUTEX              locks it                      U MUTEX              unlocks it
///   P SEMAPHORE          acquires it                   V SEMAPHORE          releases it
///   i VALUE COUNT        skips the next COUNT unless the thread's last atomic operation saw VALUE
struct Operation {
  char verb = 'r';
  std::array<unsigned, 3> numbers{};
};

/// Memory orders, as numbers of operations.
enum Order : unsigned { relaxed, acquire, release, acq_rel, seq_cst };

struct Program {
  std::vector<std::vector<Operation>> threads;
};

/// "r 0 4; L 1 | w 0 4": operations of one thread after the other, threads after each other.
std::string to_text(const Program& program);
/// Empty if the text is no program.
Program parse(const std::string& text);

Program generate(std::uint64_t seed);

}  // namespace random_races
