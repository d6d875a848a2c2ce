#pragma once

// A variable that threads share: every read and every write is one event, in an order that all threads agree on.
//
//   norn::shared<int> turn = 0;
//   turn = 1;
//   if (turn == 1) ...

#include <norn/detail/runtime.hpp>

#include <atomic>

namespace norn {

template <typename T>
class shared {
 public:
  constexpr shared() = default;
  constexpr shared(T value) : value_(value) {}
  shared(const shared&) = delete;
  shared& operator=(const shared&) = delete;

  [[nodiscard]] T read() const { return value_.load(); }
  void write(T value) { value_.store(value); }
  operator T() const { return read(); }
  T operator=(T value) {
    write(value);
    return value;
  }

 private:
  std::atomic<T> value_{};
};

}  // namespace norn
