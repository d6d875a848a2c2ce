#pragma once

// Writes the threads of a program in which most threads send or call, and one or two receive about as often.

#include <vector>

#include "thread_writer.hpp"

namespace random_programs {

/// The first of them is main. If they are not joined, only main asserts anything.
std::vector<std::vector<Operation>> write_messages(Random& random, const Habits& habits, bool unjoined);

}  // namespace random_programs
