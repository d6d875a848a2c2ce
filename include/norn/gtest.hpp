// GoogleTest and norn::explore together:
//
//   TEST(Queue, KeepsEveryElement) {
//     EXPECT_TRUE(norn::passes([] {
//       ...
//       EXPECT_EQ(queue.size(), 2);
//     }));
//   }
//
// Expectations that fail inside count as bugs of the run in which they fail; the report says which schedule it was.
#pragma once

#include <gtest/gtest.h>
#include <norn/explore.hpp>

#include <utility>

namespace norn {
namespace detail {

inline int failed_expectations() {
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return 0;
  int failed = 0;
  for (int i = 0; i < test->result()->total_part_count(); ++i) failed += test->result()->GetTestPartResult(i).failed();
  return failed;
}

}  // namespace detail

/// True if every behaviour of `body` was explored and is correct.
template <typename Body>
::testing::AssertionResult passes(const options& how, Body&& body) {
  const int before = detail::failed_expectations();
  const result found = explore(how, [&] {
    body();
    require(detail::failed_expectations() == before, "all expectations (the one that failed is in the output)");
  });
  return (found ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << found.report;
}

template <typename Body>
::testing::AssertionResult passes(Body&& body) {
  return passes(options{}, std::forward<Body>(body));
}

}  // namespace norn
