#pragma once

#include <stdexcept>

namespace norn {

// Something the user gave is wrong: an option, a source file, a program. The message is one sentence without a
// full stop; the command prints it on standard error and exits with code 2.
struct InputError : std::runtime_error {
  using runtime_error::runtime_error;
};

}  // namespace norn
