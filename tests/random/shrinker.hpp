#pragma once

// Making programs smaller: to fit a limit, or to show a mismatch with as few lines as possible.

#include <functional>

#include "description.hpp"
#include "random.hpp"

namespace random_programs {

void remove_operation(Program& program, unsigned thread, unsigned operation);

/// Removes a thread other than main, with its spawns and joins; the later threads move up.
void remove_thread(Program& program, unsigned thread);

/// Drops one operation other than a spawn or the last construct, at random; false if there is none left to drop.
bool trim(Program& program, Random& random);

/// The smallest program found by removing threads, operations and settings while `still_fails` holds.
Program shrink(Program program, const std::function<bool(const Program&)>& still_fails);

}  // namespace random_programs
