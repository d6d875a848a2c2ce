#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "support/options.hpp"

namespace norn {
namespace {

/// Not a number (nan) is between no others.
CLI::Validator between(double least, double most, const char* what, const char* name) {
  const auto check = [=](const std::string& text) -> std::string {
    char* rest = nullptr;
    const double value = std::strtod(text.c_str(), &rest);
    if (!text.empty() && *rest == 0 && value >= least && value <= most) return {};
    return fmt::format("`{}` is not a {} from {} to {}", text, what, least, most);
  };
  return {check, name};
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_one = error == std::errc() && rest == text.data() + text.size() && value >= least && value <= most;
    if (!is_one) return fmt::format("`{}` is not a whole number from {} to {}", text, least, most);
    text = std::to_string(value);
    return {};
  };
  return {check, "NUMBER"};
}

CLI::Validator seconds() { return between(0, most_seconds, "number of seconds", "SECONDS"); }

CLI::Validator probability() { return between(0, 1, "number", "NUMBER"); }

}  // namespace norn
