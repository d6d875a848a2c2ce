#include "account.hpp"

#include <thread>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

#ifndef ACCOUNT
#define ACCOUNT Account
#endif

TEST_CASE("nobody withdraws what is not there", "[account]") {
  ACCOUNT account(100);
  std::thread other([&] { account.withdraw(80); });
  account.withdraw(80);
  other.join();
  REQUIRE(account.balance() == 20);
}

TEST_CASE("the same money is given out once", "[account]") {
  ACCOUNT account(100);
  bool mine = false;
  bool yours = false;
  std::thread you([&] { yours = account.withdraw(60); });
  mine = account.withdraw(60);
  you.join();
  REQUIRE(mine != yours);
}
