// norn-cc and norn-c++: use them as CC and CXX to build a program for `norn check`.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "frontend/compiler.hpp"
#include "support/complain.hpp"
#include "support/error.hpp"

int main(int argc, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).filename();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    return norn::run_wrapper(name.ends_with("++") ? norn::Language::Cxx : norn::Language::C, arguments);
  } catch (const norn::InputError& error) {
    norn::complain("{}: {}\n", name, error.what());
    return 2;
  } catch (const std::exception& error) {
    norn::complain("{}: internal error: {}\n", name, error.what());
    return 4;
  }
}
