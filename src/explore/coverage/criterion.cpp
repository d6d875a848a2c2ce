#include "explore/coverage/criterion.hpp"

namespace norn::coverage {
namespace {

constexpr std::string_view names[] = {"sync-pairs", "blocking-pairs", "statement-pairs", "def-use-pairs"};
using Make = std::unique_ptr<Criterion> (*)();
constexpr Make makers[] = {make_sync_pairs, make_blocking_pairs, make_statement_pairs, make_def_use_pairs};

}  // namespace

std::span<const std::string_view> criteria() { return names; }

std::unique_ptr<Criterion> make_criterion(std::string_view name) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == name) return makers[i]();
  return nullptr;
}

bool is_about_accesses(std::string_view name) {
  const auto criterion = make_criterion(name);
  return criterion != nullptr && criterion->controls(Op::plain_read);
}

}  // namespace norn::coverage
