#pragma once

namespace norn::frontend {

/// Makes std::terminate of the program's C++ library (if it has one) end the run, with the exception's name.
void install_terminate_handler();
void remove_terminate_handler();

}  // namespace norn::frontend
