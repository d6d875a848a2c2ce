#pragma once

#include <stdexcept>
#include <string>

namespace norn {

// Something the user gave is wrong: an option, a source file, a program. The message is one sentence without a
// full stop; the command prints it on standard error and exits with code 2.
struct InputError : std::runtime_error {
  using runtime_error::runtime_error;
};

// The user has stopped the command before there was anything to report. The command says so and ends as the signal
// would have ended it.
struct Interruption : std::runtime_error {
  Interruption(const std::string& what, int signal_number) : runtime_error(what), signal(signal_number) {}
  int signal;
};

}  // namespace norn
